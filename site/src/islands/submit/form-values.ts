import type { ParsedAnswers } from "./parse-answers.ts";

/** Optional facts of a model, under the names that the API has for them. */
export const cardFields = ["slug", "url", "license", "parameters", "quantization"] as const;
export type CardField = (typeof cardFields)[number];

/** What the form holds, as typed. */
export interface FormValues extends Record<CardField, string> {
  suite: string;
  dataset: string;
  name: string;
  simulated: boolean;
  /** Who makes the answers. */
  source: "endpoint" | "answers";
  baseUrl: string;
  model: string;
  endpointKey: string;
  /** Null: no file was chosen. */
  answers: ParsedAnswers | null;
  /** The answers were made with the suite's standard prompt. */
  isStandardPrompt: boolean;
  /** Name of the chosen file; empty: none was. */
  answersFile: string;
  /** USD per million tokens, as vendors quote them. */
  inputPerMillion: string;
  outputPerMillion: string;
  options: string;
  visibility: "public" | "unlisted";
}

/** The fields of the form, by which errors are placed. */
export type FieldName =
  | Exclude<keyof FormValues, "simulated" | "isStandardPrompt" | "answersFile">
  | "key";

/** Something wrong with a field. */
export interface FormError {
  /** Null: of no field of the form. */
  field: FieldName | null;
  detail: string;
}
