import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Completion } from "../completion.ts";
import { garble, garbleKinds } from "../mistakes/garble.ts";
import { perturbValue } from "../mistakes/perturb-value.ts";
import type { MistakeKind, MistakeRates } from "../mistakes/rates.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { type Claim, type Play, type Player, textKey } from "./player.ts";
import { askedSchema, promptText } from "./prompt-parts.ts";
import { indexTexts } from "./text-index.ts";

interface ExtractionSample {
  key: string;
  id: string | null;
  text: string;
  schema: Json;
  expected: Json;
}

/** Answers extraction requests about known texts: the expected output with the model's mistakes. */
export function extractionPlayer(rows: readonly JsonObject[]): Player {
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

/** Of samples that share a text, the one whose schema the request carries. */
function bySchema(samples: readonly ExtractionSample[], request: ParsedChat) {
  const asked = JSON.stringify(askedSchema(request));
  return samples.find(({ schema }) => JSON.stringify(schema) === asked) ?? samples[0];
}

function claimSample(sample: ExtractionSample, request: ParsedChat): Claim {
  const constrained = request.enforcement === "schema";
  return {
    key: sample.key,
    id: sample.id,
    answer: (play) => answerSample(sample, constrained, play),
  };
}

function answerSample(sample: ExtractionSample, constrained: boolean, play: Play): Completion {
  if (isFlawless(play.rates)) return perfectAnswer(sample.expected);
  const made: MistakeKind[] = [];
  const slips = { ...play, constrained, made, root: sample.schema, text: sample.text };
  const value = perturbValue(sample.expected, sample.schema, slips);
  const garbled = garbleKinds.find((kind) => play.draws.chance(play.rates[kind]));
  const completion = { ...perfectAnswer(value), mistakes: made, certainty: certainty(made, play) };
  if (garbled === undefined) return completion;
  made.push(garbled);
  return garble(completion, garbled, play.draws);
}

function perfectAnswer(value: Json): Completion {
  const content = JSON.stringify(value);
  return { content, refusal: null, toolCalls: [], mistakes: [], certainty: 0.98 };
}

/** Sinks with every mistake, with some noise: a model is roughly aware of being wrong. */
function certainty(made: readonly MistakeKind[], { draws }: Play): number {
  return Math.max(0.3, 0.98 - 0.06 * made.length - 0.1 * draws.unit());
}

function isFlawless(rates: MistakeRates): boolean {
  return Object.values(rates).every((rate) => rate === 0);
}
