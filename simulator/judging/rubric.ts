import type { JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import { quotable } from "../language/stems.ts";
import type { AnalyzedMaterial, Passage } from "./analyze-material.ts";
import type { JudgeBias } from "./cues.ts";

/** How one metric is judged: the whole judgment, its fields in the order of its schema. */
export type Rubric = (analyzed: AnalyzedMaterial, bias: JudgeBias, draws: Draws) => JsonObject;

/** The sentences in which a cue hasCue. */
export const sentencesWith = ({ sentences }: AnalyzedMaterial, cue: RegExp): Passage[] =>
  sentences.filter(({ text }) => cue.test(text));

/** Whether a cue shows anywhere. */
export const hasCue = (analyzed: AnalyzedMaterial, cue: RegExp): boolean =>
  sentencesWith(analyzed, cue).length > 0;

/** A remark with the answer's own words in quotation marks. */
export const withQuote = (remark: string, { text }: Passage): string =>
  `${remark} "${quotable(text)}".`;
