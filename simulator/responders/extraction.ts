import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import { type Completion, textCompletion } from "../chat-response.ts";
import { garbleKinds } from "../mistakes/garble.ts";
import { perturbValue } from "../mistakes/perturb-value.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { generateValue } from "../schemas/generate-value.ts";
import { requestKey } from "./prose.ts";
import {
  type AnswerContext,
  type Claim,
  completeAnswer,
  type Responder,
  textKey,
} from "./responder.ts";
import { askedSchema, indexTexts, promptText } from "./text-index.ts";

interface ExtractionSample {
  key: string;
  id: string | null;
  text: string;
  schema: Json;
  expected: Json;
}

/** Answers extraction requests about known texts: the expected output with the model's mistakes. */
export function extractionResponder(rows: readonly JsonObject[]): Responder {
  const index = indexTexts(rows.flatMap(readSample));
  return {
    claim(request) {
      const exact = index.exact(promptText(request.userText) ?? request.userText);
      const candidates = exact.length > 0 ? exact : index.within(request.userText);
      const sample = candidates.length > 1 ? bySchema(candidates, request) : candidates[0];
      return sample === undefined ? null : claimSample(sample, request);
    },
  };
}

function readSample({
  id,
  text,
  schema,
  expected_output: expected,
}: JsonObject): ExtractionSample[] {
  if (typeof text !== "string" || schema === undefined || expected === undefined) return [];
  const key = textKey(`${text}\n${JSON.stringify(schema)}`);
  return [{ key, id: typeof id === "string" ? id : null, text, schema, expected }];
}

/** Among samples with the same text, the one with the request's schema. */
function bySchema(samples: readonly ExtractionSample[], request: ParsedChat) {
  const asked = JSON.stringify(askedSchema(request));
  return samples.find(({ schema }) => JSON.stringify(schema) === asked) ?? samples[0];
}

function claimSample(sample: ExtractionSample, request: ParsedChat): Claim {
  const constrained = request.enforcement === "schema";
  return {
    key: sample.key,
    id: sample.id,
    answer: (context) => answerSample(sample, constrained, context),
  };
}

function answerSample(
  sample: ExtractionSample,
  constrained: boolean,
  context: AnswerContext,
): Completion {
  return completeAnswer(context, garbleKinds, (made) => {
    const mistakes = { ...context, constrained, made, root: sample.schema, text: sample.text };
    return JSON.stringify(perturbValue(sample.expected, sample.schema, mistakes));
  });
}

/** Answers any request with a schema (in its mode or prompt) by a value of that type. */
export function structuredResponder(): Responder {
  return {
    claim(request) {
      const root = askedSchema(request);
      if (root === undefined) return null;
      const text = promptText(request.userText) ?? request.userText;
      return {
        key: requestKey(request),
        id: null,
        answer: ({ draws }) =>
          textCompletion(JSON.stringify(generateValue({ root, text, draws }, root))),
      };
    },
  };
}
