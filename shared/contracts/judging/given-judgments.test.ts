import { describe, expect, it } from "vitest";
import { givenJudgments } from "./given-judgments.ts";

const fields = { empathy_score: 4 };
const record = { judge: "judge-1", judgment: fields, latencyMs: 20, requests: 1 };

describe("givenJudgments()", () => {
  it.each<[string, unknown, unknown[]]>([
    ["the fields of a judgment", fields, [{ judge: null, judgment: fields, requests: 0 }]],
    ["a record", record, [record]],
    ["a panel of both", [record, null, fields], [record, { judge: null, judgment: fields }]],
    ["scores", { value: 4, unjudged: null, judges: [{ ...record, value: 4 }] }, [record]],
    [
      "a record without a judgment",
      { judge: "judge-1", unjudged: { reason: "judge_refused", message: "No." } },
      [{ judgment: null, unjudged: { reason: "judge_refused", message: "No." } }],
    ],
    [
      "scores with a reason for a missing judgment",
      { judges: [{ judgment: null, unjudged: "judge_failed", message: "timeout" }] },
      [{ judgment: null, unjudged: { reason: "judge_failed", message: "timeout" } }],
    ],
    ["an unknown reason", { unjudged: "tired" }, [{ unjudged: { reason: "judge_failed" } }]],
    ["an invalid field", { ...record, requests: "many" }, [{ ...record, requests: 0 }]],
    [
      "scores with a judgment and an empty message",
      { judges: [{ judgment: fields, unjudged: null, message: "" }] },
      [{ judgment: fields, unjudged: null }],
    ],
  ])("converts %s to records", (_, given, records) => {
    const found = givenJudgments({ empathy: given });
    expect(found).toMatchObject({ empathy: records });
    expect(givenJudgments(found)).toEqual(found);
  });

  it.each([[null], [[]], [[null]], [{ judges: [] }]])("ignores %j", (given) => {
    expect(givenJudgments({ empathy: given })).toEqual({});
  });

  it("returns no judgments for a value that is not an object", () => {
    for (const given of [undefined, null, 5, "x", []]) expect(givenJudgments(given)).toEqual({});
  });

  it("keeps at most 16 judgments of a metric", () => {
    expect(givenJudgments({ empathy: Array(20).fill(fields) })["empathy"]).toHaveLength(16);
  });
});
