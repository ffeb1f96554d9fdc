import { expect, it } from "vitest";
import { enforcementOf } from "./enforcement-of.ts";

it.each([
  ["json_schema_strict", 60, 0, "asked for: no answer breaks the schema"],
  ["json_schema_strict", 60, 1, "asked for: 1 answer breaks the schema"],
  ["json_schema_strict", 60, 9, "ignored: 9 answers break the schema"],
  ["guided_json", 60, 60, "ignored: 60 answers break the schema"],
  ["json_schema", 60, 0, "asked for"],
  ["json_object", 60, 20, "asked for"],
  ["none", 60, 3, "not asked for"],
])(
  "enforcementOf(%s) of %i answers, %i of which break the schema, is %s",
  (mode, answers, unfit, said) => {
    expect(enforcementOf(mode, answers, unfit)).toBe(said);
  },
);
