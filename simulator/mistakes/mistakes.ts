import type { ValueSource } from "../schemas/generate-value.ts";

/** Rate of each kind of mistake at error scale 1, at every possible place. */
const weights = {
  // Per scalar or scalar array of the expected output.
  omit_optional: 0.35,
  omit_required: 0.03,
  wrong_number: 0.4,
  wrong_boolean: 0.3,
  wrong_enum: 0.4,
  swapped_date: 0.3,
  typo: 0.2,
  cut_string: 0.2,
  wrong_type: 0.02,
  // Per optional property missing in the expected output, and per object.
  hallucinated_value: 0.25,
  extra_field: 0.04,
  // Per array.
  dropped_element: 0.15,
  invented_element: 0.12,
  reordered: 0.08,
  // Per slot of a user's memory; per field that must stay empty.
  missed_slot: 0.7,
  misread_slot: 0.3,
  extra_slot: 0.12,
  // Per expected call; if there is another function; per answer, with and without expected calls.
  missed_call: 0.3,
  malformed_arguments: 0.06,
  wrong_function: 0.3,
  extra_call: 0.15,
  needless_call: 0.9,
  // Per prose answer; per sentence of it.
  short_answer: 0.7,
  unstructured: 0.7,
  off_topic: 0.5,
  repeated_sentence: 0.4,
  // Per required fact; per answer of advice, to which `off_topic` applies as well.
  forgotten_memory: 1.25,
  forbidden_memory: 1.2,
  invented_fact: 1.9,
  cold_tone: 0.9,
  rude: 0.6,
  contradiction: 0.8,
  unsafe_advice: 1.1,
  unhelpful: 0.9,
  incoherent: 0.7,
  // Per pair of answers that is judged.
  first_place: 0.4,
  longer_answer: 0.3,
  wrong_verdict: 0.5,
  // Per output.
  truncated_json: 0.06,
  single_quotes: 0.03,
  trailing_comma: 0.04,
  fenced: 0.15,
  chatty: 0.05,
  prose: 0.03,
  refusal: 0.03,
  empty: 0.02,
};

/** A kind of mistake. */
export type MistakeKind = keyof typeof weights;

/** The probability of each kind of mistake, 0–1. */
export type MistakeRates = Readonly<Record<MistakeKind, number>>;

/** Every kind of mistake. */
export const mistakeKinds = Object.keys(weights) as MistakeKind[];

/** What a structured-output mode enforces: the schema, any JSON, or nothing. */
export type Enforcement = "schema" | "json" | "none";

/** Kinds that break the whole output. */
const notJson: readonly MistakeKind[] = [
  "truncated_json",
  "single_quotes",
  "trailing_comma",
  "fenced",
  "chatty",
  "prose",
];

const prevented: Record<Enforcement, readonly MistakeKind[]> = {
  schema: [...notJson, "omit_required", "wrong_type", "extra_field", "empty"],
  json: [...notJson, "empty"],
  none: [],
};

/**
 * The rates of a model whose skill is one number: at 0 no mistakes, at 0.4 in about every fifth field.
 * @example mistakeRates(0.1).typo // 0.02
 */
export function mistakeRates(errorScale: number): MistakeRates {
  const rates = mistakeKinds.map((kind) => [kind, Math.min(1, weights[kind] * errorScale)]);
  return Object.fromEntries(rates) as MistakeRates;
}

/** The rates times a factor. */
export function scaleRates(rates: MistakeRates, factor: number): MistakeRates {
  const scaled = { ...rates };
  for (const kind of mistakeKinds) scaled[kind] *= factor;
  return scaled;
}

/** The rates under constrained decoding: what can't be generated has rate 0. */
export function constrainRates(rates: MistakeRates, enforcement: Enforcement): MistakeRates {
  const zeroes = prevented[enforcement].map((kind) => [kind, 0]);
  return { ...rates, ...Object.fromEntries(zeroes) };
}

/** Inputs of mistakes, and the list of those made so far. */
export interface Mistakes extends ValueSource {
  rates: MistakeRates;
  /** Decoding follows the schema: no mistake may break it. */
  constrained: boolean;
  made: MistakeKind[];
}

/** Draws whether this mistake happens here, and records it. */
export function makesMistake(
  mistakes: Pick<Mistakes, "rates" | "draws" | "made">,
  kind: MistakeKind,
): boolean {
  const made = mistakes.draws.chance(mistakes.rates[kind]);
  if (made) mistakes.made.push(kind);
  return made;
}
