import type { Answer } from "../../contracts/answer.ts";
import type { ChatMessage } from "../../contracts/chat-request.ts";
import type { JudgeTask } from "../../contracts/judging/judging.ts";
import type { Step, UnitTask } from "../../contracts/suite.ts";
import { answerText, isEmptyAnswer } from "../../judges/exchange.ts";
import { withManner } from "../../judges/judge-manner.ts";
import { criterionJudges, type Material } from "./criteria.ts";
import type { RubricOptions } from "./options.ts";
import type { RubricSample } from "./sample.ts";

/**
 * What the person says: the context, if any, and the query.
 * @example messageText({ context: null, query: "Why?" }) // "Why?"
 */
export const messageText = ({ context, query }: Pick<RubricSample, "context" | "query">): string =>
  context === null ? query : `${context}\n\n${query}`;

/**
 * One request a sample: its system message, or that of the options; the conversation before; context and query.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options }: UnitTask<RubricSample, RubricOptions>,
  replies: readonly Answer[],
): Step {
  const [answer] = replies;
  if (answer !== undefined) return { kind: "done", answers: [answer] };
  const sample = samples[0]!;
  const { history, system } = sample;
  const { temperature, maxTokens, systemPrompt } = options;
  const instructions = system ?? systemPrompt;
  const messages: ChatMessage[] = [...history, { role: "user", content: messageText(sample) }];
  if (instructions) messages.unshift({ role: "system", content: instructions });
  return { kind: "ask", request: { messages, temperature, maxTokens } };
}

/**
 * A sample and its answer as shown to judges.
 * @example materialOf(sample, { ...emptyAnswer, output: "Hi." }).answer // "Hi."
 */
export function materialOf(sample: RubricSample, answer: Answer): Material {
  const { system, history, context, query, reference } = sample;
  return { system, history, context, query, reference, answer: answerText(answer) };
}

/**
 * The judges to ask about an answer: one for each criterion, or none if the request failed or the answer is empty,
 * because its values are fixed.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "Hi." }, options).length // 4
 */
export function judgeTasks(
  sample: RubricSample,
  answer: Answer,
  options: RubricOptions,
): JudgeTask[] {
  const material = materialOf(sample, answer);
  if (answer.error !== null || isEmptyAnswer(material.answer)) return [];
  return criterionJudges(options.rubric).map((judge) => ({
    name: judge.id,
    judge: withManner(judge, options),
    material,
  }));
}
