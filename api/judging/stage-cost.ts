import type { RunJudging, StageRequest } from "#shared/contracts/judging/judging.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import type { JudgeClient } from "../providers/judges.ts";
import { CHARACTERS_PER_TOKEN, charactersOf } from "../submissions/estimate.ts";

type StageRoutes = NonNullable<RunJudging["stages"][string]>;

/** Audio tokens per second of speech. Source: OpenAI, pricing: 0.015 USD a minute at 12 USD per million tokens. */
const SPOKEN_TOKENS_A_SECOND = 1_250 / 60;
/** Tokens per second of a recording as model input. Source: OpenAI, managing costs: a token for 100 ms. */
const HEARD_TOKENS_A_SECOND = 10;
/** Characters per second of spoken English: 150 words a minute. */
const CHARACTERS_A_SECOND = 15;
/** Bytes per second of a recording at 16 kHz, 16 bits. */
const BYTES_A_SECOND = 32_000;
/** Output tokens: a dozen names and numbers, and the thoughts of reasoning models. */
const STAGE_TOKENS = 300;

/** Tokens of a spoken text, estimated because the interface does not report them. */
export const speechTokens = (text: string, seconds: number) => ({
  inputTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  outputTokens: Math.ceil(seconds * SPOKEN_TOKENS_A_SECOND),
});

/** Expected cost of a stage's request for a sample, USD. Models without a price are not counted. */
export function stageUsd(
  wanted: StageRequest,
  { ask, speak }: StageRoutes,
  { priceOf }: Pick<JudgeClient, "priceOf">,
): number {
  const cost = (
    route: StageRoutes["ask"] | undefined,
    { inputTokens, outputTokens, audio = 0 }: ReturnType<typeof speechTokens> & { audio?: number },
  ): number => {
    const prices = route && priceOf(route);
    const apart = { cached: 0, audio, reasoning: 0 };
    return prices ? tokenCostUsd(inputTokens + audio, outputTokens, prices, apart) : 0;
  };
  const text = wanted.kind === "speech" ? wanted.text : "";
  const given = ((wanted.request.audio?.data.length ?? 0) * 0.75) / BYTES_A_SECOND;
  const seconds = given || text.length / CHARACTERS_A_SECOND;
  return (
    cost(ask, {
      inputTokens: charactersOf(wanted.request) / CHARACTERS_PER_TOKEN,
      outputTokens: STAGE_TOKENS,
      audio: seconds * HEARD_TOKENS_A_SECOND,
    }) + (text === "" ? 0 : cost(speak, speechTokens(text, seconds)))
  );
}
