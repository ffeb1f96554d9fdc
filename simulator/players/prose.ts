import type { JsonObject } from "../../shared/contracts/json.ts";
import { textGarbleKinds } from "../mistakes/garble.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { writeProse } from "../write-prose.ts";
import { playAnswer } from "./play-answer.ts";
import { type Claim, textKey } from "./player.ts";

/**
 * Answers anything in prose about what the request names, with the model's mistakes. Of the datasets it
 * knows the prompts, with their system messages, to name their samples.
 */
export function prosePlayer(rows: readonly JsonObject[]): { claim(request: ParsedChat): Claim } {
  const ids = new Map(rows.flatMap(readPrompt));
  return {
    claim(request) {
      const key = requestKey(request);
      return {
        key,
        id: ids.get(key) ?? null,
        answer: (play) =>
          playAnswer(play, textGarbleKinds, (made) =>
            writeProse(request.userText, { ...play, made }),
          ),
      };
    },
  };
}

function readPrompt({ id, prompt, system }: JsonObject): [string, string][] {
  if (typeof id !== "string" || typeof prompt !== "string") return [];
  const user = { role: "user", text: prompt };
  const isSystem = typeof system === "string" && system !== "";
  const messages = isSystem ? [{ role: "system", text: system }, user] : [user];
  return [[requestKey({ messages }), id]];
}

/** The key of a request that is about no known sample: that of its messages. */
export function requestKey({ messages }: Pick<ParsedChat, "messages">): string {
  return textKey(messages.map(({ role, text }) => `${role}\n${text}`).join("\n\n"));
}
