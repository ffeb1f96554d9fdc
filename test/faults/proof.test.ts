import { expect, it } from "vitest";
import { tableText } from "./fault-table.ts";
import { figureLines } from "./figures.ts";
import { prove } from "./proof.ts";
import { sizeOf } from "./size.ts";

/** A run's: what there is time for here. */
const SAMPLES = 80;
/** A minute and a half or so on two idle cores; machines are noisy. */
const TIMEOUT_MS = 1_500_000;

it(
  "nothing is lost whatever fails, and nearly nothing paid for twice",
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
