import { textCompletion } from "../completion.ts";
import { generateValue } from "../schemas/generate-value.ts";
import type { Player } from "./player.ts";
import { askedSchema, promptText } from "./prompt-parts.ts";
import { requestKey } from "./prose.ts";

/** Answers whatever comes with a schema, in its mode or its prompt, by a value of that shape. */
export function structuredPlayer(): Player {
  return {
    claim(request) {
      const root = askedSchema(request);
      if (root === undefined) return null;
      const text = promptText(request.userText) ?? request.userText;
      return {
        key: requestKey(request),
        id: null,
        answer: ({ draws }) =>
          textCompletion(JSON.stringify(generateValue({ root, text, draws }, root))),
      };
    },
  };
}
