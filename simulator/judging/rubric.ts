import type { JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import { quotable } from "../language/stems.ts";
import type { Leaning } from "./cues.ts";
import type { Passage, View } from "./view.ts";

/** How one metric is judged: the whole judgment, its fields in the order of its schema. */
export type Rubric = (view: View, leaning: Leaning, draws: Draws) => JsonObject;

/** The sentences in which a cue shows. */
export const withCue = ({ sentences }: View, cue: RegExp): Passage[] =>
  sentences.filter(({ text }) => cue.test(text));

/** Whether a cue shows anywhere. */
export const shows = (view: View, cue: RegExp): boolean => withCue(view, cue).length > 0;

/** A remark with the answer's own words in quotation marks. */
export const quoting = (remark: string, { text }: Passage): string =>
  `${remark} "${quotable(text)}".`;
