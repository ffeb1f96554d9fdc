import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import type { Check, ImportedTest } from "./imported-tests.ts";
import { type InspectLog, inspectSamples, inspectText } from "./inspect-answers.ts";

/**
 * The samples of an Inspect log with what is expected, and its scorers. A list of targets is accepted in any of them.
 * Throws BadInput.
 * Source: UKGovernmentBEIS/inspect_ai, dataset/_dataset.py and scorer at 499e615.
 */
export async function* inspectTests(log: InspectLog): AsyncGenerator<ImportedTest> {
  for await (const { place, id, sample } of inspectSamples(log)) {
    const { input, target, choices, scores, attachments } = sample;
    const targets = (Array.isArray(target) ? target : [target]).filter(
      (one): one is string => typeof one === "string" && one !== "",
    );
    const given: Json[] = Array.isArray(input) ? input : [{ role: "user", content: input ?? "" }];
    const messages = given.filter(isJsonObject).map(({ role, content }) => ({
      role: `${role}`,
      content: inspectText(content, attachments, "text"),
    }));
    const isChoice = Array.isArray(choices) && choices.length > 0;
    yield {
      place,
      id,
      messages,
      target: targets.length === 0 ? null : targets.join("\nor: "),
      schema: null,
      checks: Object.keys(isJsonObject(scores) ? scores : {}).map((type) => check(type, isChoice)),
    };
  }
}

const known = /^(match|includes|exact|answer|pattern|f1|model_graded_qa|model_graded_fact)$/;

function check(type: string, isChoice: boolean): Check {
  const outcome = isChoice
    ? "not mapped: multiple choice: the choices are not part of the sample"
    : known.test(type)
      ? "the target is the expected answer"
      : "not mapped: describe what it checks as a criterion; the target is the expected answer";
  return { type, question: null, weight: 1, outcome };
}
