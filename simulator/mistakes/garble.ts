import type { Completion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import type { MistakeKind } from "./mistakes.ts";

/** Mistakes that affect a whole output. */
export type GarbleKind = keyof typeof garblers;

const refusalText = "I'm sorry, but I can't assist with that request.";
const proseText =
  "The text describes several details, but I would need more context to put them into that form.";

const garblers = {
  truncated_json: (text: string, draws: Draws) =>
    replaced(text.slice(0, Math.ceil(text.length * (0.4 + 0.5 * draws.unit())))),
  single_quotes: (text: string) => replaced(text.replaceAll('"', "'")),
  trailing_comma: (text: string) => replaced(text.replace(/([}\]])$/, ",$1")),
  fenced: (text: string) => replaced(`\`\`\`json\n${text}\n\`\`\``),
  chatty: (text: string) =>
    replaced(`Here is the information you asked for:\n\n${text}\n\nLet me know if you need more.`),
  prose: () => replaced(proseText),
  refusal: () => ({ content: null, refusal: refusalText }),
  empty: () => replaced(""),
} satisfies Partial<
  Record<MistakeKind, (text: string, draws: Draws) => Pick<Completion, "content" | "refusal">>
>;

/** All kinds, in the order in which they are drawn. */
export const garbleKinds = Object.keys(garblers) as GarbleKind[];

/** Kinds that apply to plain text. */
export const textGarbleKinds: readonly GarbleKind[] = ["refusal", "empty"];

/** `completion` with one mistake. */
export function garble(completion: Completion, kind: GarbleKind, draws: Draws): Completion {
  return { ...completion, ...garblers[kind](completion.content ?? "", draws) };
}

function replaced(content: string) {
  return { content, refusal: null };
}
