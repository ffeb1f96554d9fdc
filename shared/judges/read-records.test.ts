import { expect, it } from "vitest";
import { givenJudgments } from "../contracts/judging/given-judgments.ts";
import { aStoredSlot } from "./__fixtures__/stored-slot.ts";
import { slotAccuracy } from "./metrics/slot-accuracy.ts";
import { readRecords } from "./read-records.ts";

const aRecord = (more: object) =>
  givenJudgments({ record: { judge: "j", judgment: null, ...more } })["record"]![0]!;
const rated = (accuracy: unknown) => aRecord({ judgment: { accuracy } });
const failed = aRecord({ unjudged: { reason: "judge_failed", message: "x".repeat(9_000) } });
const read = (records: Parameters<typeof readRecords>[1], rule: "median" | "majority" = "median") =>
  readRecords(slotAccuracy, records, aStoredSlot(), rule);

it("readRecords() reads a single judgment, and combines a panel's judgments by its rule", () => {
  expect(read([rated(0.25)])).toMatchObject({ reading: { value: 0.25 }, unjudged: null });
  const panel = [rated(0.2), rated(1), rated(1)];
  expect(read([...panel, rated(0)]).reading?.value).toBe(0.6);
  expect(read([...panel, rated(0)], "majority").reading?.value).toBe(1);
});

it("readRecords() combines valid judgments, and returns why others are missing", () => {
  const { reading, unjudged, records } = read([failed, rated(0.5), rated(7)]);
  expect([reading?.value, unjudged]).toEqual([0.5, null]);
  expect(records.map(({ value, unjudged: why }) => [value, why])).toEqual([
    [null, "judge_failed"],
    [0.5, null],
    [null, "invalid_judgment"],
  ]);
  expect(records[0]?.message).toHaveLength(500);
  expect(records[2]?.message).toContain("/accuracy");
});

it.each([
  ["nobody", [], "not_given"],
  ["a judge that failed", [failed, rated(7)], "judge_failed"],
  ["no judgment", [rated("good")], "invalid_judgment"],
  ["an empty record", [aRecord({})], "invalid_judgment"],
])("readRecords() returns no judgment for %s", (_, records, why) => {
  expect(read(records)).toMatchObject({ reading: null, unjudged: why });
});
