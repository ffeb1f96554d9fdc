import { isJsonObject, type Json, type JsonObject } from "../../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { generateValue } from "../schemas/generate-value.ts";
import type { Player } from "./player.ts";
import { requestKey } from "./prose.ts";

/** Answers requests with tools by one call of the first, or of the one that `tool_choice` names. */
export function toolsPlayer(): Player {
  return {
    claim(request) {
      const tool = chosenFunction(request);
      if (tool === null) return null;
      const root: Json = tool.parameters ?? { type: "object", properties: {} };
      return {
        key: requestKey(request),
        id: null,
        answer: ({ draws }) => ({
          content: null,
          refusal: null,
          toolCalls: [
            {
              name: String(tool.name),
              arguments: JSON.stringify(
                generateValue({ root, text: request.userText, draws }, root),
              ),
            },
          ],
          mistakes: [],
          certainty: 0.95,
        }),
      };
    },
  };
}

function chosenFunction({ tools, toolChoice }: ParsedChat): JsonObject | null {
  if (toolChoice === "none") return null;
  const functions = tools.map((tool) => tool.function).filter(isJsonObject);
  const named =
    isJsonObject(toolChoice) && isJsonObject(toolChoice.function) ? toolChoice.function : {};
  return functions.find(({ name }) => name === named.name) ?? functions[0] ?? null;
}
