import { expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { withoutSilentFigures } from "./without-silent-figures.ts";

const zero = { value: 0, interval: [0, 0], n: 3, coverage: 0 };
const entry = (run: string) => ({ run, headline: zero, metrics: { eqs: zero }, coverage: 0 });
const board = { entries: [entry("silent"), entry("poor")] } as unknown as Parameters<
  typeof withoutSilentFigures
>[0];
const aRun = (id: string, failed: number) =>
  ({ id, metrics: {}, progress: { total: 3, done: 3, failed } }) as unknown as Run;

it("withoutSilentFigures() takes figures from runs without an answer, and from no others", () => {
  const [silent, poor] = withoutSilentFigures(board, [aRun("silent", 3), aRun("poor", 2)]).entries;
  expect(silent).toMatchObject({ headline: { value: null, interval: null, n: 3 }, metrics: {} });
  expect(poor).toEqual(entry("poor"));
});
