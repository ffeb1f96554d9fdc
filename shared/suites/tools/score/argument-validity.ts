import { isJsonObject } from "../../../contracts/json.ts";
import { type PreparedSchema, readSchema } from "../../../measures/json-schema/read-schema.ts";
import { type ToolsSample, toolFunction, toolName } from "../sample.ts";
import type { PredictedCall } from "./match-calls.ts";

/** Calls whose arguments were held against the schema of their tool. */
export interface ArgumentValidity {
  /** Calls of tools that the sample offers, with a schema that can judge. */
  judged: number;
  valid: number;
  /** The first reasons why arguments are not valid, after the name of their function. */
  errors: string[];
}

const mostErrors = 5;

const prepared = new WeakMap<ToolsSample, Map<string, PreparedSchema>>();

/**
 * How many calls keep to the `parameters` of their tool. Arguments that did not parse are not valid; a
 * call of a tool that is not offered has no schema to be held against.
 * Source: docs/spec/tools.md, metrics.
 * @example argumentValidity(sample, [{ name: "ping", arguments: null }]).valid // 0
 */
export function argumentValidity(
  sample: ToolsSample,
  calls: readonly PredictedCall[],
): ArgumentValidity {
  const schemas = schemasOf(sample);
  const found: ArgumentValidity = { judged: 0, valid: 0, errors: [] };
  for (const { name, arguments: given } of calls) {
    const schema = schemas.get(name);
    if (!schema) continue;
    const judged = given === null ? null : schema.judge(given);
    if (judged !== null && !judged.ok) continue;
    found.judged++;
    const reasons = judged === null ? ["the arguments are no JSON object"] : judged.value;
    if (reasons.length === 0) found.valid++;
    else if (found.errors.length < mostErrors) found.errors.push(`${name}: ${reasons[0]}`);
  }
  return found;
}

/** By name of the tool; kept with the sample, since preparing costs more than judging. */
function schemasOf(sample: ToolsSample): Map<string, PreparedSchema> {
  const known = prepared.get(sample);
  if (known) return known;
  const schemas = new Map(
    sample.tools.flatMap((tool) => {
      const { parameters = {} } = toolFunction(tool);
      const name = toolName(tool);
      return name !== null && isJsonObject(parameters)
        ? [[name, readSchema(parameters, false)] as const]
        : [];
    }),
  );
  prepared.set(sample, schemas);
  return schemas;
}
