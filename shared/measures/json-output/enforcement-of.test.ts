import { expect, it } from "vitest";
import { enforcementOf } from "./enforcement-of.ts";

it.each([
  ["json_schema_strict", 60, 0, false, "asked for: no answer breaks the schema"],
  ["json_schema_strict", 60, 1, false, "asked for: 1 answer breaks the schema"],
  ["json_schema_strict", 60, 9, false, "ignored: 9 answers break the schema"],
  [
    "json_schema_strict",
    60,
    0,
    true,
    "constrained, as the provider documents: no answer breaks the schema",
  ],
  ["json_schema_strict", 60, 9, true, "ignored: 9 answers break the schema"],
  ["guided_json", 60, 60, false, "ignored: 60 answers break the schema"],
  ["json_schema_strict", 60, 1, true, "asked for: 1 answer breaks the schema"],
  ["json_schema", 60, 60, false, "ignored: 60 answers break the schema"],
  ["json_object", 60, 20, true, "asked for"],
  ["none", 60, 3, true, "not asked for"],
])(
  "enforcementOf(%s) with %i answers, %i of them unfit, and isEnforcing %s is %s",
  (mode, answers, unfit, isEnforcing, text) => {
    expect(enforcementOf(mode, answers, unfit, isEnforcing)).toBe(text);
  },
);
