import type { Answer } from "../../../contracts/answer.ts";
import type { JudgeTask } from "../../../contracts/judging.ts";
import { isEmptyAnswer } from "../../../judges/exchange.ts";
import { judges } from "../../../judges/judges.ts";
import { exchangeOf } from "../ask/exchange-of.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";

/**
 * Who is to be asked about an answer: every judge, or none where the request failed or the answer is empty,
 * whose values are set.
 * Source: docs/spec/memory.md, judges.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "Hi." }, options).length // 12
 */
export function judgeTasks(
  sample: MemorySample,
  answer: Answer,
  options: MemoryOptions,
): JudgeTask[] {
  const material = exchangeOf(sample, answer, options);
  if (answer.error !== null || isEmptyAnswer(material.answer)) return [];
  return judges.map((judge) => ({ name: judge.id, judge, material }));
}
