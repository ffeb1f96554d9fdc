import type { JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import { quotable } from "../language/stems.ts";
import type { AnalyzedMaterial, Passage } from "./analyze-material.ts";
import type { JudgeBias } from "./cues.ts";

/** Judges one metric: returns the whole judgment, its fields in schema order. */
export type Rubric = (analyzed: AnalyzedMaterial, bias: JudgeBias, draws: Draws) => JsonObject;

/** The sentences that match a cue. */
export const sentencesWith = ({ sentences }: AnalyzedMaterial, cue: RegExp): Passage[] =>
  sentences.filter(({ text }) => cue.test(text));

/** Whether any sentence matches a cue. */
export const hasCue = (analyzed: AnalyzedMaterial, cue: RegExp): boolean =>
  sentencesWith(analyzed, cue).length > 0;

/** A remark with a quotation from the answer. */
export const withQuote = (remark: string, { text }: Passage): string =>
  `${remark} "${quotable(text)}".`;
