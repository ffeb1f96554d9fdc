import { expect, it } from "vitest";
import type { ParityHost } from "../../contracts/boards/parity.ts";
import { parityVerdict, removedTexts, verdictText } from "./parity-verdict.ts";

const metric = { label: "Call F1", format: "score" } as const;
const host = (label: string, verdict: string | null, difference = 0, more: object = {}) => ({
  label,
  addedBy: "acme",
  isLatest: true,
  status: "finished" as const,
  note: null,
  versus: verdict === null ? null : ({ verdict, difference } as ParityHost["versus"]),
  ...more,
});
const sentence = (...hosts: ReturnType<typeof host>[]) =>
  parityVerdict(
    { name: "acme/hosts", reference: host("Maker", null), hosts, margin: 0.05 },
    metric,
  );

it.each([
  [[] as ReturnType<typeof host>[], "No other host was added yet."],
  [[host("A", "equivalent")], "A is equivalent to Maker within 0.050 in Call F1."],
  [[host("A", "non-inferior")], "A is no worse than Maker within 0.050 in Call F1."],
  [
    [host("A", "not-shown"), host("B", "worse", -0.2), host("C", "worse", -0.1)],
    "B (−0.200) and C (−0.100) are worse than Maker in Call F1. A is not shown to be as good as Maker within 0.050 in Call F1.",
  ],
  [[host("A", null)], "1 of 1 hosts can't be compared yet."],
  [
    [host("A", "worse", -0.2, { isLatest: false }), host("A", "equivalent")],
    "A is equivalent to Maker within 0.050 in Call F1.",
  ],
  [
    [host("A", "equivalent"), host("B", "worse", -0.2, { addedBy: "ada" })],
    "A is equivalent to Maker within 0.050 in Call F1. Other accounts added 1 host, shown apart.",
  ],
  [
    [..."ABCDEFG"].map((name) => host(name, "equivalent")),
    "A, B, C, D, E and 2 more are equivalent to Maker within 0.050 in Call F1.",
  ],
])("parityVerdict() %#: %s", (hosts, text) => {
  expect(sentence(...hosts)).toBe(text);
});

it("verdictText() returns the verdict, or why there is none", () => {
  expect(verdictText(host("A", "not-shown"))).toBe("not shown");
  expect(verdictText(host("Maker", null))).toBe("reference");
  expect(verdictText({ ...host("A", null), status: "running" })).toBe("running");
  expect(verdictText({ ...host("A", null), note: "too few" })).toBe("too few");
  expect(verdictText(host("A", "worse", 0, { isLatest: false }))).toBe("earlier: worse");
});

it("removedTexts() names a run's label only if the account that added it removed it", () => {
  const removed = [
    { addedBy: "acme", label: "B", removedBy: null, runs: 2 },
    { addedBy: "ada", label: null, removedBy: "acme", runs: 1 },
    { addedBy: "ada", label: "C", removedBy: "ada", runs: 1 },
  ];
  expect(removedTexts({ removed })).toEqual([
    "2 runs of B were removed (added by acme).",
    "1 run was removed by acme (added by ada).",
    "1 run of C was removed (added by ada).",
  ]);
});
