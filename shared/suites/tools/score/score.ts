import type { Answer, HybridSide } from "../../../contracts/answer.ts";
import { isJsonObject } from "../../../contracts/json.ts";
import type { Share } from "../../../contracts/runs/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { confidenceOf, onDevice } from "../../../measures/hybrid.ts";
import { type PreparedSchema, readSchema } from "../../../measures/json-schema/read-schema.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { ToolsOptions } from "../options.ts";
import { type ReadCalls, readCalls } from "../read.ts";
import { type Level, levels, type ToolsSample } from "../sample.ts";
import { toolFunction, toolName } from "../sample-parts.ts";
import { stepOf } from "../turns/follow.ts";
import { type ScoredTurn, scoreTurns, type TurnScore } from "../turns/score-turns.ts";
import { type Failure, failuresOf } from "./failures.ts";
import { type CallScore, callScore, type PredictedCall } from "./match-calls.ts";
import { levelScore } from "./total-score.ts";

/** Results of both endpoints of a hybrid target on a sample. */
type HybridDetail = NonNullable<ReturnType<typeof hybridDetail>>;

/** Numbers of expected and of matched calls of a function. */
interface FunctionCounts {
  name: string;
  expected: number;
  matched: number;
}

/** The scoring of one answer, as sample pages show it. */
export interface ToolsDetail extends Omit<CallScore, "matches"> {
  level: Level;
  /** Status of the answer. `silent`: neither a call nor text. */
  status: "answered" | "refused" | "silent" | "error";
  from: ReadCalls["from"];
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  /** The source stated by the answer or the run, or null, and whether it is the device. */
  source: string | null;
  onDevice: boolean;
  /** Latency / baseline; null if unknown. */
  slowness: number | null;
  /** Whether no call was expected. */
  irrelevant: boolean;
  /** Numbers of calls validated against their tool's schema, and of valid ones. */
  judged: number;
  valid: number;
  schemaErrors: string[];
  /** Expected and matched calls by function. */
  functions: FunctionCounts[];
  /** The first calls, in order, and their failures. */
  calls: PredictedCall[];
  failures: Failure[];
  hybrid?: HybridDetail;
  /** Missing for the specification's rules. */
  textRules?: "bfcl";
  /** Only for a sample with several turns. */
  turns?: TurnScore[];
}

/** Maximum calls and failures stored for a sample. */
const mostShown = 64;

type ScoringOptions = Pick<
  ToolsOptions,
  "toolMode" | "strictArguments" | "textRules" | "timeBaselineMs" | "source" | "routed" | "rankBy"
>;

/**
 * Scores one answer: the F1 of its calls, 0–1; for a routed run the score that the sample would have as a level,
 * 0.60 · F1 + 0.15 · time score + 0.25 if it came from the device. A failed request scores 0, even if no call was
 * expected, and is not covered. Never throws; the detail is bounded for any answer.
 * Source: docs/spec/tools.md, metrics.
 * @example scoreTools(sample, { ...emptyAnswer, output: "No." }, options).detail.predicted // 0
 */
export function scoreTools(
  sample: ToolsSample,
  given: Answer,
  options: ScoringOptions,
): SampleScore<ToolsDetail> {
  const answer = withoutThoughts(given);
  const covered = answer.error === null;
  const read = sample.conversation
    ? readTurns(sample, answer, options)
    : readAnswer(sample, answer, options);
  const { calls, leftOut, from, rates, failures, turns } = read;
  const { errors: schemaErrors, ...validity } = argumentValidity(sample, calls);
  const source = answer.source ?? options.source ?? null;
  const { matches, ...shares } = rates;
  const detail: ToolsDetail = {
    level: sample.difficulty,
    status: statusOf(answer, calls),
    from,
    truncated: answer.finishReason === "length",
    ...shares,
    source,
    onDevice: covered && source === onDevice,
    slowness: slownessOf(answer, options, turns),
    irrelevant: sample.expected_calls.length === 0,
    ...validity,
    schemaErrors,
    functions: functionsOf(sample, matches),
    calls: calls.slice(0, mostShown),
    failures: failures.slice(0, mostShown),
    ...(options.textRules === "bfcl" && { textRules: "bfcl" as const }),
    ...(turns && { turns }),
  };
  if (leftOut > 0 && detail.failures.length < mostShown) detail.failures.push(loop);
  const hybrid = hybridDetail(sample, answer, options);
  if (hybrid !== null) detail.hybrid = hybrid;
  return { status: "scored", score: scoreOf(detail, options), covered, detail };
}

/** The value of the metric that ranks the run. */
function scoreOf(detail: ToolsDetail, { routed, rankBy }: ScoringOptions): number {
  if (routed) return levelScoreOf(detail);
  return rankBy === "conversations" ? +isRight(detail) : detail.f1;
}

/**
 * Whether no turn has a failure; for a sample without turns, whether all calls match.
 * @example isRight({ f1: 1 }) // true
 */
export const isRight = ({ f1, turns }: Pick<ToolsDetail, "f1" | "turns">): boolean =>
  turns === undefined ? f1 === 1 : turns.every(({ failure }) => failure === null);

/** The calls of an answer and how they match. */
interface Read extends ReadCalls {
  rates: CallScore;
  failures: Failure[];
  turns?: TurnScore[];
}

function readAnswer(sample: ToolsSample, answer: Answer, options: ScoringOptions): Read {
  const read = readCalls(answer, modeOf(answer, options));
  const rates = ratesOf(sample, answer, read, options);
  const failures = failuresOf(sample.expected_calls, read.calls, rates.matches, options);
  return { ...read, rates, failures };
}

/** Scores each turn; the rates of the sample are means over its turns. After a failed request no turn is right. */
function readTurns(sample: ToolsSample, answer: Answer, options: ScoringOptions): Read {
  const { conversation, expected_calls: expected } = sample;
  const mode = modeOf(
    { ...answer, toolCalls: answer.turns?.flat()[0]?.toolCalls ?? null },
    options,
  );
  const given = answer.turns ?? [[stepOf(answer)]];
  const scored = scoreTurns(conversation!, given, mode, options);
  const isLost = answer.error !== null;
  const mean = (of: (one: ScoredTurn) => number) =>
    isLost ? 0 : scored.reduce((sum, one) => sum + of(one), 0) / scored.length;
  const sum = (of: (one: TurnScore) => number) =>
    scored.reduce((total, { score }) => total + of(score), 0);
  const turns = scored.map(({ score }, i): TurnScore => {
    const isCut = isLost && score.failure === null && i >= given.length - 1;
    return isCut ? { ...score, failure: "ended" } : score;
  });
  const calls = scored.flatMap((one) => one.calls);
  return {
    calls,
    leftOut: scored.reduce((total, one) => total + one.leftOut, 0),
    from: calls.length === 0 ? "none" : mode === "native" ? "native" : "content",
    rates: {
      matched: sum(({ matched }) => matched),
      expected: expected.length,
      predicted: sum(({ predicted }) => predicted),
      precision: mean(({ matching }) => matching.precision),
      recall: mean(({ matching }) => matching.recall),
      f1: mean(({ matching }) => matching.f1),
      matches: scored.flatMap(({ matching }) => matching.matches),
    },
    failures: scored.flatMap(({ calls: made, matching }, i) =>
      failuresOf(conversation!.turns[i]!.calls, made, matching.matches, options),
    ),
    turns,
  };
}

/**
 * The score that an answer would have as a level, 0–1.
 * @example levelScoreOf(detail) // 0.60 · F1 + 0.15 · time score + 0.25 if it came from the device
 */
const levelScoreOf = (detail: Pick<ToolsDetail, "f1" | "slowness" | "onDevice">): number =>
  levelScore({ ...detail, onDevice: +detail.onDevice });

/** The field of an answer made elsewhere shows where its calls are: toolCalls, or output. */
function modeOf({ toolCalls, requests }: Answer, { toolMode }: ScoringOptions) {
  return toolCalls === null && requests === 0 ? "prompt" : toolMode;
}

/** The failure of calls after the limit. */
const loop: Failure = { class: "extraCall", function: "(more calls)", argument: null };

/** A missing answer has no call, but is wrong even if no call was expected. */
function ratesOf(
  sample: ToolsSample,
  answer: Parameters<typeof isMissing>[0],
  { calls, leftOut }: Pick<ReadCalls, "calls" | "leftOut">,
  options: ScoringOptions,
): CallScore {
  const rates = callScore(sample.expected_calls, calls, leftOut, options);
  const isWithout = calls.length === 0 && leftOut === 0 && isMissing(answer);
  return isWithout ? { ...rates, precision: 0, recall: 0, f1: 0 } : rates;
}

/** A failed request, or an answer that a limit or a filter left empty: no decision against a call. */
function isMissing({
  error,
  output,
  finishReason = null,
}: Pick<Answer, "error" | "output"> & Partial<Pick<Answer, "finishReason">>): boolean {
  if (error !== null) return true;
  const isCut = finishReason === "length" || finishReason === "content_filter";
  return isCut && (output ?? "").trim() === "";
}

function functionsOf(
  { expected_calls: calls }: ToolsSample,
  matches: CallScore["matches"],
): FunctionCounts[] {
  const counts = new Map<string, FunctionCounts>();
  for (const [i, { name }] of calls.entries()) {
    const its = counts.get(name) ?? { name, expected: 0, matched: 0 };
    its.expected++;
    its.matched += +(matches[i] !== null);
    counts.set(name, its);
  }
  return [...counts.values()];
}

/** Latency / baseline; for a conversation the mean over its requests. */
function slownessOf(
  { latencyMs, error }: Pick<HybridSide, "latencyMs" | "error">,
  { timeBaselineMs }: ScoringOptions,
  turns: readonly TurnScore[] = [],
): number | null {
  const requests = turns.reduce((sum, { steps }) => sum + steps, 0);
  return latencyMs === null || error !== null
    ? null
    : latencyMs / Math.max(1, requests) / timeBaselineMs;
}

function statusOf(
  { error, refusal, output }: Answer,
  calls: readonly PredictedCall[],
): ToolsDetail["status"] {
  if (error !== null) return "error";
  if (refusal) return "refused";
  return calls.length === 0 && (output ?? "").trim() === "" ? "silent" : "answered";
}

function hybridDetail(sample: ToolsSample, { hybrid }: Answer, options: ScoringOptions) {
  if (!hybrid) return null;
  const { local, cloud } = hybrid;
  const f1Of = (side: HybridSide) =>
    ratesOf(sample, side, readCalls(side, options.toolMode), options).f1;
  return {
    /** Confidence of the local answer, 0–1. */
    confidence: confidenceOf(local),
    localFailed: local.error !== null,
    /** F1 of each endpoint's answer, 0–1; null if the cloud was not asked. */
    localF1: f1Of(local),
    cloudF1: cloud && f1Of(cloud),
    /** Latency / baseline; for a failed local call the time until the failure; null if unknown. */
    localSlowness: local.latencyMs === null ? null : local.latencyMs / options.timeBaselineMs,
    cloudSlowness: cloud && slownessOf(cloud, options),
  };
}

/** Results of validating arguments against the schema of their tool. */
interface ArgumentValidity {
  /** Number of calls of offered tools whose schema can validate. */
  judged: number;
  valid: number;
  /** The first reasons why arguments are not valid, after the name of their function. */
  errors: string[];
}

const mostErrors = 5;

const prepared = new WeakMap<ToolsSample, Map<string, PreparedSchema>>();

/**
 * The number of calls that fit the `parameters` of their tool. Arguments that did not parse are not valid; a call of a
 * tool that is not offered has no schema.
 * Source: docs/spec/tools.md, metrics.
 * @example argumentValidity(sample, [{ name: "ping", arguments: null }]).valid // 0
 */
function argumentValidity(sample: ToolsSample, calls: readonly PredictedCall[]): ArgumentValidity {
  const schemas = schemasOf(sample);
  const found: ArgumentValidity = { judged: 0, valid: 0, errors: [] };
  for (const { name, arguments: given } of calls) {
    const schema = schemas.get(name);
    if (!schema) continue;
    const judged = given === null ? null : schema.validate(given);
    if (judged !== null && !judged.ok) continue;
    found.judged++;
    const reasons = judged === null ? ["the arguments are not a JSON object"] : judged.value;
    if (reasons.length === 0) found.valid++;
    else if (found.errors.length < mostErrors) found.errors.push(`${name}: ${reasons[0]}`);
  }
  return found;
}

/** Prepared schemas by tool name; cached with the sample, because preparing costs more than validating. */
function schemasOf(sample: ToolsSample): Map<string, PreparedSchema> {
  const known = prepared.get(sample);
  if (known) return known;
  const schemas = new Map(
    sample.tools.flatMap((tool) => {
      const { parameters = {} } = toolFunction(tool);
      const name = toolName(tool);
      return name !== null && isJsonObject(parameters)
        ? [[name, readSchema(parameters, false)] as const]
        : [];
    }),
  );
  prepared.set(sample, schemas);
  return schemas;
}

/**
 * An answer's contribution to each metric by which runs are compared, the headline first, and to the parts of the
 * total; a sample does not contribute to the parts of other levels.
 * Source: docs/spec/tools.md, metrics.
 * @example sampleValues(score)["hard.f1"] // { of: 0.5, over: 1 }
 */
export function sampleValues({
  detail,
}: SampleScore<ToolsDetail>): Record<string, number | Share | null> {
  const { level, f1, precision, recall, slowness, onDevice, turns = [] } = detail;
  const rightTurns = turns.filter(({ failure }) => failure === null).length;
  const parts = levels.map((one): Record<string, Share> => {
    const over = +(one === level);
    return {
      [`${one}.f1`]: { of: over * f1, over },
      [`${one}.slowness`]: { of: over * (slowness ?? 0), over: over * +(slowness !== null) },
      [`${one}.onDevice`]: { of: over * +onDevice, over },
    };
  });
  return {
    avgF1: f1,
    total: levelScoreOf(detail),
    precision,
    recall,
    allRight: +(f1 === 1),
    onDeviceRatio: +onDevice,
    ...(turns.length > 0 && {
      conversationRate: +isRight(detail),
      turnRate: { of: rightTurns, over: turns.length },
    }),
    ...Object.assign({}, ...parts),
  };
}
