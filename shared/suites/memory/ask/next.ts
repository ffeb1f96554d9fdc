import type { Answer } from "../../../contracts/answer.ts";
import type { Step, UnitTask } from "../../../contracts/suite.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { findingsOf } from "./exchange-of.ts";
import { adviceMessages } from "./prompt.ts";

/**
 * The question, with what is stored and was found out about the person.
 * Source: docs/spec/memory.md, generation.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options, findings = [] }: UnitTask<MemorySample, MemoryOptions>,
  replies: readonly Answer[],
): Step {
  const sample = samples[0]!;
  const [answer] = replies;
  if (answer !== undefined) return { kind: "done", answers: [answer] };
  const messages = adviceMessages(sample, findingsOf(sample, findings[0] ?? {}, options), options);
  const { temperature, maxTokens } = options;
  return { kind: "ask", request: { messages, temperature, maxTokens } };
}
