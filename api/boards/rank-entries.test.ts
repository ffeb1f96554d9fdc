import { expect, it } from "vitest";
import { rankEntries } from "./rank-entries.ts";

const entry = (
  slug: string,
  value: number | null,
  { coverage = 1, promptDeclared = true } = {},
) => ({
  run: slug,
  model: { slug },
  headline: { value, interval: null, n: 10, coverage },
  promptDeclared,
});

const ranks = (entries: ReturnType<typeof entry>[], better: "higher" | "lower" = "higher") =>
  rankEntries(entries, better).map(({ run, rank }) => [run, rank]);

it("rankEntries() puts the best first and lets equal values share a rank", () => {
  expect(ranks([entry("b", 0.5), entry("a", 0.5), entry("c", 0.9), entry("d", 0.1)])).toEqual([
    ["c", 1],
    ["a", 2],
    ["b", 2],
    ["d", 4],
  ]);
});

it("rankEntries() puts the lowest first where lower is better", () => {
  expect(ranks([entry("a", 3), entry("b", 1)], "lower")).toEqual([
    ["b", 1],
    ["a", 2],
  ]);
});

it("rankEntries() lists without rank and with the reason what can't be compared", () => {
  const listed = rankEntries(
    [
      entry("low", 1, { coverage: 0.9499 }),
      entry("ok", 0.2),
      entry("undeclared", 0.9, { promptDeclared: false }),
      entry("none", null),
    ],
    "higher",
  );
  expect(listed.map(({ run, rank, unrankedReason }) => [run, rank, unrankedReason])).toEqual([
    ["ok", 1, null],
    ["low", null, "coverage 94.9% is below 95%"],
    [
      "undeclared",
      null,
      "the answers' prompt was not declared, or is not the suite's (promptHash)",
    ],
    ["none", null, "no sample could be scored"],
  ]);
});
