import type { Json } from "../../../contracts/json.ts";
import type { Level, ToolsSample } from "../sample.ts";

/** A sample that offers `ping` and `pong`, both with a whole number `n`, and expects a ping for each of `expected`. */
export function pingSample(
  id: string,
  difficulty: Level,
  expected: readonly Json[],
  tags: Record<string, string> = {},
): ToolsSample {
  const parameters = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  };
  return {
    id,
    difficulty,
    tags,
    messages: [{ role: "user", content: `Ping ${id}.` }],
    tools: ["ping", "pong"].map((name) => ({ type: "function", function: { name, parameters } })),
    expected_calls: expected.map((n) => ({ name: "ping", arguments: { n } })),
  };
}
