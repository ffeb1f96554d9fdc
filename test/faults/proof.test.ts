import { expect, it } from "vitest";
import { tableText } from "./fault-table.ts";
import { figureLines } from "./figures.ts";
import { prove } from "./proof.ts";
import { sizeOf } from "./size.ts";

/** Samples per run, few to limit the time of this test. */
const SAMPLES = 80;
/** The test takes about 90 s on two idle cores; machines are noisy. */
const TIMEOUT_MS = 1_500_000;

it(
  "the service loses no results and pays for almost no duplicates when everything fails",
  async () => {
    const size = sizeOf(SAMPLES);
    const { rows, figures, problems } = await prove(size, console.log);
    console.log(`seed ${size.seed}\n${tableText(rows)}\n\n${figureLines(figures)}`);
    expect(problems).toEqual([]);
    expect(figures.kills).toBeGreaterThanOrEqual(5);
    expect(rows.filter(({ injected }) => injected === 0)).toEqual([]);
  },
  TIMEOUT_MS,
);
