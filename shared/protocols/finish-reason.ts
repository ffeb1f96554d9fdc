/** Finish reasons of other providers, with OpenAI's equivalent. */
const names: ReadonlyMap<string, string> = new Map([
  // Together
  ["eos", "stop"],
  // Anthropic
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
  ["model_context_window_exceeded", "length"],
  // Anthropic, Google
  ["max_tokens", "length"],
  // OpenAI's Responses
  ["max_output_tokens", "length"],
  // Mistral
  ["model_length", "length"],
]);

/**
 * The finish reason in the terms of OpenAI's Chat Completions; an unknown reason is unchanged.
 * @example finishReasonOf("max_tokens") // "length"
 */
export const finishReasonOf = (given: string): string => names.get(given) ?? given;
