import { type Exchange, isEmptyAnswer } from "../../judges/exchange.ts";
import type { Judge } from "../../judges/judge.ts";
import { judges } from "../../judges/judges.ts";
import { exchangeOf } from "./exchange-of.ts";
import type { JudgedAnswer } from "./judged-answer.ts";
import type { MemoryOptions } from "./options.ts";
import type { MemorySample } from "./sample.ts";

/** A judge to be asked about an answer, and what it is to be shown. */
export interface JudgeTask {
  judge: Judge;
  exchange: Exchange;
}

/**
 * Who is to be asked about an answer: every judge, or none where the request failed or the answer is empty,
 * whose values are set.
 * Source: specification of the memory suite, judges.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "Hi." }, options).length // 12
 */
export function judgeTasks(
  sample: MemorySample,
  answer: JudgedAnswer,
  options: MemoryOptions,
): JudgeTask[] {
  const exchange = exchangeOf(sample, answer, options);
  if (answer.error !== null || isEmptyAnswer(exchange.answer)) return [];
  return judges.map((judge) => ({ judge, exchange }));
}
