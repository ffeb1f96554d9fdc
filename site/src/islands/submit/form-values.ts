import type { Visibility } from "#shared/contracts/datasets/dataset.ts";
import type { ParsedAnswers } from "./parse-answers.ts";

/** Optional facts about a model, with the API's names. */
export const cardFields = ["slug", "url", "license", "parameters", "quantization"] as const;
export type CardField = (typeof cardFields)[number];

/** USD per million tokens, as vendors quote them, with the API's names; the first two are given together. */
export const priceFields = [
  "inputPerMillion",
  "outputPerMillion",
  "cachedPerMillion",
  "audioPerMillion",
  "reasoningPerMillion",
] as const;

/** How a model is asked, with the API's names: numbers, choices, and further fields as JSON. */
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

/** Options of the run that have a field of their own, all numbers. */
export const optionFields = ["samples", "repeats", "concurrency", "maxCostUsd"] as const;
export type OptionField = (typeof optionFields)[number];

/** Fields whose values are texts of their names. */
export const textFields = [
  ...cardFields,
  ...priceFields,
  ...settingFields,
  ...optionFields,
] as const;

/** The values of the form, as typed. */
export interface FormValues extends Record<(typeof textFields)[number], string> {
  suite: string;
  dataset: string;
  name: string;
  simulated: boolean;
  /** Source of the answers. */
  source: "endpoint" | "answers";
  baseUrl: string;
  model: string;
  endpointKey: string;
  /** Empty: the interface of the host. */
  protocol: string;
  /** Whether the model answers in batches, and their interface; empty: that of the host. */
  isBatched: boolean;
  batches: string;
  /** Null: no file was chosen. */
  answers: ParsedAnswers | null;
  /** The answers were made with the suite's standard prompt. */
  isStandardPrompt: boolean;
  /** Name of the chosen file; empty: none was. */
  answersFile: string;
  /** Further options as JSON. */
  options: string;
  visibility: Visibility;
}

/** The fields of the form, for placing errors. */
export type FieldName =
  | Exclude<keyof FormValues, "simulated" | "isStandardPrompt" | "isBatched" | "answersFile">
  | "key";

/** An error in a field. */
export interface FormError {
  /** Null: not about a field of the form. */
  field: FieldName | null;
  detail: string;
}
