import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { JudgeTask, RunJudging } from "#shared/contracts/judging/judging.ts";
import { recorded } from "#shared/contracts/judging/recorded-judges.ts";
import type { HybridRouting } from "#shared/contracts/runs/unit.ts";
import type { ModelEstimate, SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import { BATCH_PRICE_RATIO, batchesOf } from "#shared/contracts/submissions/providers.ts";
import { firstEndpoint, type SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { judgeRequest } from "#shared/judges/judge-request.ts";
import { samplePlan } from "#shared/measures/comparison/sample-plan.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import { protocolOf } from "#shared/protocols/protocol-of.ts";
import { judgesWithoutBatches } from "../batches/batch-errors.ts";
import { boardIdentity, promptHashOf } from "../boards/board-identity.ts";
import { compare } from "../comparisons/compare.ts";
import { stageUsd } from "../judging/stage-cost.ts";
import { sampleUsageOf } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { PrecedentQuery } from "../runs/read-store.ts";
import { roundUsd } from "../runs/run-cost.ts";
import type { RunRecord } from "../runs/schema.ts";
import {
  answeredBasis,
  answeredExpense,
  type BasisFacts,
  CHARACTERS_PER_TOKEN,
  charactersOf,
  estimateBasis,
  estimateExpense,
  evenlySpaced,
  mergeProbes,
  type Probe,
  plus,
  probeUnit,
  totalExpense,
} from "./estimate.ts";
import { correctedNote } from "./new-run.ts";
import type { ResolvedSubmission, RunVariant, Submitter } from "./resolve-submission.ts";

/** Number of sampled units: enough for a mean, few enough for one HTTP request. */
const PROBED_UNITS = 50;
/** Used without an earlier run: a mid-sized hosted model on a page of text. */
const ASSUMED_LATENCY_MS = 2_000;

/** Estimates a checked submission. Stores nothing and calls no endpoint. */
export async function estimateSubmission(
  platform: Platform,
  submission: ResolvedSubmission,
  submitter: Submitter,
): Promise<SubmissionEstimate> {
  const { suite, dataset, request, variants } = submission;
  const units = await probedUnits(platform, submission);
  const probedWith = (hybrid: HybridRouting | null) =>
    variants.map((variant) => ({
      variant,
      probe: probeOf(submission, variant, hybrid, units),
    }));
  const probed = probedWith(null);
  const models = await Promise.all(
    request.models.map(async (model) => {
      if (model.answers !== undefined) return [answeredModel(submission, submitter.owner, model)];
      const whose = { model, owner: submitter.owner };
      const latency = await latencyOf(platform, suite.id, whose);
      const metered = await meteredOf(platform, submission, whose);
      return (model.hybrid ? probedWith(model.hybrid) : probed).map((one) =>
        askedModel(submission, submitter.owner, { model, metered, latency, ...one }),
      );
    }),
  );
  const runs = models.flat();
  const total = totalExpense(runs);
  const wall = wallSeconds(request.models, models, submission, platform.settings);
  return {
    suite: suite.id,
    dataset: { name: dataset.name, version: dataset.version },
    models: runs,
    total: { ...total, expectedWallSeconds: Math.max(total.expectedWallSeconds, wall) },
    ...judgeExpense(
      submission,
      units.flatMap(({ samples }) => samples),
      runs.length,
      platform.judging,
    ),
    judging: submission.judging,
    separation: await separationOf(platform, submission, runs),
    warnings: [
      ...(submission.correctedBy === null ? [] : [correctedNote(submission.correctedBy)]),
      ...(submission.datasetNote === null ? [] : [submission.datasetNote]),
    ],
    quota: await sampleUsageOf(platform, submitter.quota),
  };
}

/** Differences of interest to users. */
const DIFFERENCES = [0.02, 0.05];
/** Number of runs whose scores show how much models differ from sample to sample. */
const MOST_RUNS = 4;

/**
 * How many samples separate two models, from the best runs on the submission's board, or else on the standard board.
 */
async function separationOf(
  platform: Platform,
  submission: ResolvedSubmission,
  models: readonly ModelEstimate[],
): Promise<SubmissionEstimate["separation"]> {
  const { suite, suiteOptions } = submission;
  const prompts = [promptHashOf(suite, suiteOptions), null];
  for (const { id, repeats } of prompts.map((prompt) => boardIdentity(submission, prompt))) {
    const board = await platform.boards.get(id);
    const ids = (board?.entries ?? []).filter(({ rank }) => rank !== null).map(({ run }) => run);
    if (ids.length < 2) continue;
    const compared = await compare(platform, null, ids.slice(0, MOST_RUNS).sort());
    // Null: a later request finds the result once the queue has computed it.
    if (compared.ok && compared.value === null) return null;
    const headline = compared.ok ? compared.value?.metrics[0] : undefined;
    const planned = headline ? samplePlan(headline, DIFFERENCES) : [];
    if (planned.length === 0) continue;
    const each = models.flatMap(({ costUsd, samples }) =>
      costUsd === null || costUsd.expected === null ? [] : [(costUsd.expected / samples) * repeats],
    );
    return {
      runs: Math.min(ids.length, MOST_RUNS),
      samples: submission.dataset.samples,
      differences: planned.map((one) => ({
        ...one,
        costUsd: each.length === 0 ? null : Math.max(...each) * one.most,
      })),
    };
  }
  return null;
}

/** Output tokens of a judgment: some JSON, and the thoughts of reasoning models. */
const EXPECTED_TOKENS = 600;
/** Output tokens of the shortest judgments. */
const LEAST_TOKENS = 50;
/** Words of a fictitious answer. */
const ANSWER_WORDS = 240;

/** The fields by which the cost of judges is estimated. */
type JudgedPlan = Pick<
  ResolvedSubmission,
  "suite" | "suiteOptions" | "plan" | "judging" | "options"
> & { dataset: Pick<ResolvedSubmission["dataset"], "name" | "version"> };

/**
 * Expected cost of the judges of each run, USD, as reserved from a quota. Sampled at places that the submitter can't
 * foresee, and at least the cost of one short call per sample and judge. 0 without judges; judges without a price are
 * not counted.
 */
export async function judgeUsdOf(platform: Platform, submission: JudgedPlan): Promise<number> {
  if (submission.judging === null) return 0;
  const drawn = new Uint32Array(platform.randomBytes(4 * PROBED_UNITS).buffer);
  const units = await probedUnits(platform, submission, (part) => drawn[part]! / 2 ** 32);
  const samples = units.flatMap((unit) => unit.samples);
  const expense = judgeExpense(submission, samples, 1, platform.judging);
  const isBatched = submission.options["judgeMode"] === "batch";
  const usd = isBatched ? expense.judgeBatchCostUsd : expense.judgeCostUsd;
  const least = leastUsd(submission.judging, platform.judging) * submission.plan.total;
  return Math.max(usd ?? 0, isBatched ? BATCH_PRICE_RATIO * least : least);
}

/** Minimum cost of judges and stages per sample, USD. */
function leastUsd({ judges, stages }: RunJudging, client: Pick<JudgeClient, "priceOf">): number {
  const ofStages = Object.values(stages).flatMap((its) => (its === null ? [] : [its.ask]));
  const routes = Object.values(judges).flatMap((its) => its.routes);
  return [...routes, ...ofStages].reduce((sum, route) => {
    const prices = route.provider === recorded ? undefined : client.priceOf(route);
    return sum + (prices ? (tokenCostUsd(ANSWER_WORDS, LEAST_TOKENS, prices) ?? 0) : 0);
  }, 0);
}

/** Number and cost of a submission's judgments; null if they depend on the answers, or a price is unknown. */
type JudgeExpense = Pick<
  SubmissionEstimate,
  "judgeRequests" | "judgeCostUsd" | "judgeBatchCostUsd"
>;

/**
 * Number and cost of judgments, extrapolated from fictitious answers to some samples. Judgments that are stored cost nothing.
 */
function judgeExpense(
  { suite, suiteOptions, plan, judging }: JudgedPlan,
  samples: readonly unknown[],
  runs: number,
  client: Pick<JudgeClient, "priceOf" | "endpointOf">,
): JudgeExpense {
  if (judging === null || suite.judging === undefined) {
    return { judgeRequests: 0, judgeCostUsd: null, judgeBatchCostUsd: null };
  }
  const { tasks } = suite.judging;
  const answer = { ...emptyAnswer, output: "word ".repeat(ANSWER_WORDS) };
  const asked = samples.flatMap((sample) => tasks(sample, answer, suiteOptions));
  const calls = asked.flatMap((task) =>
    (judging.judges[task.judge.id]?.routes ?? [])
      .filter(({ provider }) => provider !== recorded)
      .map((route) => ({ task, route })),
  );
  if (asked.length === 0) {
    return { judgeRequests: null, judgeCostUsd: null, judgeBatchCostUsd: null };
  }
  const scale = (plan.total * runs) / samples.length;
  // Counted once for all runs, because stage results are shared by content, unless the runs request them at the same
  // time.
  const stagesUsd = (sample: unknown) =>
    (suite.stages ?? []).reduce((sum, stage) => {
      const routes = judging.stages[stage.id];
      const wanted = routes ? stage.ask(sample, suiteOptions) : null;
      return routes && wanted ? sum + stageUsd(wanted, routes, client) : sum;
    }, 0);
  const costs = calls.map(({ task, route }) => callCost(task, client.priceOf(route)));
  const cost = costs.reduce<number | null>(plus, 0);
  // Embeddings are live in any mode.
  const ratios = calls.map(({ task }) => (task.judge.kind === "asked" ? BATCH_PRICE_RATIO : 1));
  const inBatches = costs.reduce<number | null>(
    (sum, usd, i) => plus(sum, usd === null ? null : usd * ratios[i]!),
    0,
  );
  const areBatched = judgesWithoutBatches(client, suite, judging).length === 0;
  const stages = samples.reduce<number>((sum, sample) => sum + stagesUsd(sample), 0);
  const scaled = (usd: number | null) => (usd === null ? null : roundUsd((usd + stages) * scale));
  return {
    judgeRequests: Math.round(calls.length * scale),
    judgeCostUsd: scaled(cost),
    judgeBatchCostUsd: areBatched ? scaled(inBatches) : null,
  };
}

/** USD of one judgment; null without a price. */
function callCost({ judge, material }: JudgeTask, prices: Prices | undefined): number | null {
  if (prices === undefined) return null;
  const isAsked = judge.kind === "asked";
  const characters = isAsked
    ? charactersOf(judgeRequest(judge, material))
    : judge.texts(material).join("").length;
  return tokenCostUsd(characters / CHARACTERS_PER_TOKEN, isAsked ? EXPECTED_TOKENS : 0, prices);
}

/** Duration for the busiest endpoint, at the service's concurrency. */
function wallSeconds(
  models: readonly SubmittedModel[],
  estimates: readonly ModelEstimate[][],
  submission: ResolvedSubmission,
  { endpointConcurrencyMax }: Platform["settings"],
): number {
  const byOrigin = new Map<string, number>();
  for (const [i, model] of models.entries()) {
    const endpoint = firstEndpoint(model);
    if (endpoint === null) continue;
    const { origin } = new URL(endpoint.baseUrl);
    const seconds = (estimates[i] ?? []).reduce((sum, run) => sum + run.expectedWallSeconds, 0);
    byOrigin.set(origin, (byOrigin.get(origin) ?? 0) + seconds * concurrencyOf(submission));
  }
  return Math.max(0, ...byOrigin.values()) / endpointConcurrencyMax;
}

const concurrencyOf = ({ options, plan }: ResolvedSubmission) =>
  Math.max(1, Math.min(options["concurrency"] as number, plan.units.length));

interface ProbedUnit {
  samples: unknown[];
  repeat: number;
}

/** Units spread over the run, with their samples. */
async function probedUnits(
  platform: Platform,
  { suite, dataset, plan }: JudgedPlan,
  placeIn?: (part: number) => number,
): Promise<ProbedUnit[]> {
  const probed: ProbedUnit[] = [];
  for (const number of evenlySpaced(plan.units.length, PROBED_UNITS, placeIn)) {
    const unit = plan.units[number];
    if (!unit) continue;
    const samples = await Promise.all(
      unit.samples.map(async (sample) => {
        const position = plan.positions[sample] ?? 0;
        const row = await platform.datasets.row(suite.id, dataset.version, position);
        const checked = suite.checkSample(row);
        if (!checked.ok) throw new Error(`stored row of ${dataset.name} is malformed`);
        return checked.value.sample;
      }),
    );
    probed.push({ samples, repeat: unit.repeat });
  }
  return probed;
}

/** The suite gets empty replies, which are unconfident, so both endpoints of a hybrid target are counted. */
const probeOf = (
  { suite }: ResolvedSubmission,
  { suiteOptions: options }: RunVariant,
  hybrid: HybridRouting | null,
  units: readonly ProbedUnit[],
): Probe => mergeProbes(units.map((unit) => probeUnit(suite, { ...unit, options, hybrid })));

interface Asked {
  model: SubmittedModel;
  probe: Probe;
  variant: RunVariant;
  /** An earlier run with known token counts. */
  metered: RunRecord | null;
  latency: BasisFacts["latency"];
}

function askedModel(
  submission: ResolvedSubmission,
  owner: string,
  { model, variant, probe, metered, latency }: Asked,
): ModelEstimate {
  const { plan } = submission;
  const concurrency = concurrencyOf(submission);
  const [slug, prices] = [modelSlug(model, owner), model.prices ?? null];
  const expense = estimateExpense({
    samples: plan.total,
    units: plan.units.length,
    probe,
    concurrency,
    meanLatencyMs: latency.meanMs,
    prices,
    hasBatches: model.endpoint !== undefined && batchesOf(model.endpoint) !== null,
    maxTokens: model.endpoint?.settings?.maxTokens,
    ...(model.endpoint && { thoughtTokens: protocolOf(model.endpoint).room(model.endpoint) }),
    outputTokensPerSample: metered && metered.outputTokens / (metered.done - metered.failed),
  });
  return {
    model: slug,
    variant: variant.values,
    ...expense,
    basis: estimateBasis({
      slug,
      concurrency,
      metered,
      latency,
      prices,
      requests: expense.requests,
      units: { probed: probe.units, all: plan.units.length },
    }),
  };
}

/** A model of an estimate, and the account that asks. */
interface Whose {
  model: SubmittedModel;
  owner: string;
}

/** The newest run on the dataset with known token counts: of the model, or else of another model. */
async function meteredOf(
  { runs }: Platform,
  { suite, dataset }: ResolvedSubmission,
  { model, owner }: Whose,
): Promise<RunRecord | null> {
  const { simulated = false } = model;
  const any = { suite: suite.id, datasetName: dataset.name, simulated, metered: true } as const;
  const own = await runs.precedent({ ...any, modelSlug: modelSlug(model, owner) }, owner);
  return own ?? runs.precedent(any, owner);
}

/** Mean latency of the model's newest run, or else of the suite's, or else an assumption. */
async function latencyOf(
  platform: Platform,
  suite: string,
  { model, owner }: Whose,
): Promise<BasisFacts["latency"]> {
  const { simulated = false } = model;
  const queries: PrecedentQuery[] = [
    { modelSlug: modelSlug(model, owner), simulated, called: true },
    { suite, simulated, called: true },
  ];
  for (const query of queries) {
    const run = await platform.runs.precedent(query, owner);
    const meanMs = run && (await platform.runs.meanLatencyMs(run.id));
    if (run && meanMs !== null) return { meanMs, run };
  }
  return { meanMs: ASSUMED_LATENCY_MS, run: null };
}

function answeredModel(
  { plan }: ResolvedSubmission,
  owner: string,
  model: SubmittedModel,
): ModelEstimate {
  return {
    model: modelSlug(model, owner),
    variant: null,
    ...answeredExpense(plan.total, plan.units.length),
    basis: answeredBasis(),
  };
}
