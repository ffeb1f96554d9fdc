import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../../shared/contracts/json.ts";
import { bfclSample } from "../../../shared/suites/tools/bfcl/bfcl.ts";
import { callScore } from "../../../shared/suites/tools/score/match-calls.ts";

const live = join(import.meta.dirname, "../../../../shared/data/bfcl-v4-live/cases.jsonl");
const where = "skipped if ../shared/data/bfcl-v4-live is missing";

/** Replaces each list of accepted values by its first value. */
function firstAccepted(value: Json): Json {
  if (Array.isArray(value)) return value.map(firstAccepted);
  if (!isJsonObject(value)) return value;
  const any = value["any_of"];
  if (Array.isArray(any)) return firstAccepted(any[0]!);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, firstAccepted(one)]));
}

describe.skipIf(!existsSync(live))(`BFCL v4 live (${where})`, () => {
  const results = existsSync(live)
    ? readFileSync(live, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => bfclSample(JSON.parse(line)))
    : [];

  it("is imported except for cases that cannot be scored", () => {
    const reasons = results.map((one) => (one.ok ? "imported" : one.error.reason));
    const counts = Object.entries(Object.groupBy(reasons, (reason) => reason));
    expect(Object.fromEntries(counts.map(([reason, list]) => [reason, list.length]))).toEqual({
      imported: 409,
      noFunctions: 4,
      relevance: 3,
    });
  });

  it("keeps a case whose accepted values violate the function's schema, with a warning", () => {
    const warnings = results.flatMap((one) => (one.ok ? one.value.warnings : []));
    expect(warnings.filter((warning) => warning === "doubtfulCall")).toHaveLength(36);
  });

  it("scores a call with the first accepted values 1", () => {
    for (const result of results) {
      if (!result.ok) continue;
      const { expected_calls: expected } = result.value.sample;
      const calls = expected.map((one) => ({
        name: one.name,
        arguments: firstAccepted(one.arguments) as JsonObject,
      }));
      expect(callScore(expected, calls, 0, { textRules: "spec", strictArguments: true }).f1).toBe(
        1,
      );
    }
  });
});
