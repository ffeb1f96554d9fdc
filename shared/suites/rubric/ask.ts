import type { Answer } from "../../contracts/answer.ts";
import type { ChatMessage } from "../../contracts/chat-request.ts";
import type { JudgeTask } from "../../contracts/judging/judging.ts";
import type { Step, UnitTask } from "../../contracts/runs/unit.ts";
import { answerText, isEmptyAnswer } from "../../judges/exchange.ts";
import { withManner } from "../../judges/judge-manner.ts";
import { criterionJudges, type Material } from "./criteria.ts";
import type { RubricOptions } from "./options.ts";
import type { RubricSample } from "./sample.ts";

/**
 * The user message: the context, if any, and the query, within the template if there is one. Filled-in text is never
 * searched for placeholders.
 * @example messageText({ context: null, query: "Why?" }, "Q: {query}") // "Q: Why?"
 */
export function messageText(
  { context, query }: Pick<RubricSample, "context" | "query">,
  template: string | null = null,
): string {
  const text = template === null ? query : template.replaceAll("{query}", () => query);
  return context === null ? text : `${context}\n\n${text}`;
}

/**
 * One request per sample: the system message of the sample or options; the earlier conversation; context and query.
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
  const { temperature, maxTokens, systemPrompt, userPrompt } = options;
  const instructions = system ?? systemPrompt;
  const content = messageText(sample, userPrompt);
  const messages: ChatMessage[] = [...history, { role: "user", content }];
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
 * The judges to ask about an answer: one for each criterion that applies to the sample. None if the request failed or
 * the answer is empty, because its values are fixed.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "Hi." }, options).length // 4
 */
export function judgeTasks(
  sample: RubricSample,
  answer: Answer,
  options: RubricOptions,
): JudgeTask[] {
  const material = materialOf(sample, answer);
  if (answer.error !== null || isEmptyAnswer(material.answer)) return [];
  const judges = criterionJudges(options.rubric).filter(({ id }) => !sample.skip.includes(id));
  return judges.map((judge) => ({
    name: judge.id,
    judge: withManner(judge, options),
    material,
  }));
}
