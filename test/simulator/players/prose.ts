import { textCompletion } from "../completion.ts";
import type { Draws } from "../draws.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { snippet } from "../schemas/generate-value.ts";
import { type Claim, textKey } from "./player.ts";

const openings = ["In short,", "To begin with,", "Put simply,"] as const;
const middles = ["This matters for", "It also touches on", "Another side of it is"] as const;

/** Claims anything: a few plain sentences in words of the request. */
export function claimProse(request: ParsedChat): Claim {
  return {
    key: requestKey(request),
    id: null,
    answer: ({ draws }) => textCompletion(prose(request.userText, draws)),
  };
}

/** The key of a request that is about no known sample: that of its messages. */
export function requestKey({ messages }: ParsedChat): string {
  return textKey(messages.map(({ role, text }) => `${role}\n${text}`).join("\n\n"));
}

function prose(text: string, draws: Draws): string {
  const words = () => snippet({ text, draws });
  return `${draws.pick(openings)} the question is about ${words()}. ${draws.pick(middles)} ${words()}. Overall, ${words()} is what to keep in mind.`;
}
