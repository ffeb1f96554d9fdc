import type { Visibility } from "#shared/contracts/datasets/dataset.ts";
import type { ParsedAnswers } from "./parse-answers.ts";

/** Optional facts about a model, with the API's names. */
export const cardFields = ["slug", "url", "license", "parameters", "quantization"] as const;
export type CardField = (typeof cardFields)[number];

/**
 * Prices in USD per million tokens, as vendors quote them, with the API's names; the first two must be given together.
 */
export const priceFields = [
  "inputPerMillion",
  "outputPerMillion",
  "cachedPerMillion",
  "audioPerMillion",
  "reasoningPerMillion",
] as const;

/** Settings of the endpoint, with the API's names: numbers, choices, and further fields as JSON. */
export const settingFields = [
  "reasoningEffort",
  "thinkingBudget",
  "temperature",
  "topP",
  "seed",
  "maxTokens",
  "toolChoice",
  "extraBody",
] as const;
export type SettingField = (typeof settingFields)[number];

/** Options of the run with their own field, all numbers. */
export const optionFields = ["samples", "repeats", "concurrency", "maxCostUsd"] as const;
export type OptionField = (typeof optionFields)[number];

/** Fields whose values are texts, by their names. */
export const textFields = [
  ...cardFields,
  ...priceFields,
  ...settingFields,
  ...optionFields,
] as const;

export interface FormValues extends Record<(typeof textFields)[number], string> {
  suite: string;
  dataset: string;
  name: string;
  simulated: boolean;
  source: "endpoint" | "answers";
  baseUrl: string;
  model: string;
  endpointKey: string;
  /** Empty: the interface of the host. */
  protocol: string;
  /** Whether to use batches, and their interface; empty: the host's. */
  isBatched: boolean;
  batches: string;
  /** Null: no file was chosen. */
  answers: ParsedAnswers | null;
  /** Whether the answers were made with the suite's standard prompt. */
  isStandardPrompt: boolean;
  /** Name of the chosen file; empty if there is none. */
  answersFile: string;
  /** Further options as JSON. */
  options: string;
  visibility: Visibility;
}

/** Names of the form's fields, for placing errors. */
export type FieldName =
  | Exclude<keyof FormValues, "simulated" | "isStandardPrompt" | "isBatched" | "answersFile">
  | "key";

export interface FormError {
  /** Null if the error belongs to no field of the form. */
  field: FieldName | null;
  detail: string;
}
