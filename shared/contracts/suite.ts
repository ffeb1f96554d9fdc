import type { ZodType } from "zod";
import type { Answer, Call } from "./answer.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Judging, Stage } from "./judging/judging.ts";
import type { StageFindings } from "./judging/judgment.ts";
import type { Estimate, Metric, MetricLimits } from "./metric.ts";
import type { ReportBlock, ReportSection } from "./report.ts";
import type { Result } from "./result.ts";
import type { RunPoints } from "./run-points.ts";
import type { Share } from "./run-scores.ts";
import type { Prices } from "./submissions/prices.ts";
import type { Timeline } from "./timeline.ts";

/** What is known of a sample without its body: enough to plan a run. */
export interface SampleHead {
  id: string;
  /** Samples of one group can be made to run in order (sessions of one user); else null. */
  group: string | null;
}

/** What must run in order: positions into the run's samples, and which repeat of them it is. */
export interface Unit {
  samples: readonly number[];
  repeat: number;
}

/** A target of two endpoints: a local one, and one in the cloud for what the local one is unsure of. */
export interface HybridRouting {
  /** Lowest confidence, 0–1, at which a local answer is kept. */
  confidenceThreshold: number;
}

/** The source of a run's answers, as far as it decides which metric ranks. */
export interface Target {
  /** A hybrid target: a local endpoint, and one in the cloud. */
  isHybrid: boolean;
  /** Of submitted answers, each source that they name, null where one names none; empty for endpoints. */
  sources: readonly (string | null)[];
}

/** A unit with the bodies of its samples, ready to be carried out. */
export interface UnitTask<Sample, Options> {
  samples: readonly Sample[];
  options: Options;
  repeat: number;
  /** Null or left out where one endpoint is asked. */
  hybrid?: HybridRouting | null;
  /** What the suite's stages found, by sample; left out by suites that have none. */
  findings?: readonly StageFindings[];
}

/**
 * The next thing a unit needs: another request (`to` says to which endpoint of a hybrid target), or
 * nothing more (one answer per sample, in order).
 */
export type Step =
  | { kind: "ask"; request: ChatRequest; to?: "local" | "cloud" }
  | { kind: "done"; answers: Answer[] };

/**
 * A metric that is no ratio of sums over samples, but follows from several that are.
 * Null among `values` where a part has nothing to divide by.
 */
export interface Composite {
  /** Ids among `sampleValues`. */
  parts: readonly string[];
  value(values: readonly (number | null)[]): number | null;
}

/** What an answer earned. `score` null with status `unscored` is a judge that failed, never a zero. */
export interface SampleScore<Detail = unknown> {
  status: "scored" | "unscored" | "not_applicable";
  /** The sample's value of the metric that ranks the run, 0–1. */
  score: number | null;
  /** False when there is no answer: the score is 0 and the sample counts as not covered. */
  covered: boolean;
  /** Everything else, in the suite's own shape: stored with the answer, shown on sample pages. */
  detail: Detail;
}

/** One scored sample, as aggregates and reports take it. */
export interface ScoredSample<Detail = unknown> {
  /** Place in the run, from 0: position of the sample × repeats + repeat. */
  seq: number;
  id: string;
  tags: Readonly<Record<string, string>>;
  score: SampleScore<Detail>;
  /** The answer without its text. */
  call: Call;
}

/** Advice on choosing a model: which metric to look at, and when. */
export interface Guidance {
  metric: string;
  /** Continues the metric's label: "for balance", "where somebody waits". */
  when: string;
}

/** What a reader with one purpose looks at: metrics in the order of a table's columns. */
export interface View {
  /** Part of an address: lower-case letters, digits and hyphens. */
  id: string;
  label: string;
  /** One sentence: what the reader wants to know. */
  purpose: string;
  /** Ids of the catalogue, each once. */
  metrics: readonly string[];
}

/** The headline over a part of a run: the samples that have one value of a tag. */
export interface TagFigure {
  tag: string;
  name: string;
  /** Answers that have it. */
  n: number;
  headline: { value: number; interval: [number, number] | null };
}

/** What a text without merit earns by the headline: a line that figures are read against. */
export interface Reference {
  id: string;
  label: string;
  description: string;
  value: number;
  /** 95%; null where it is not known for these options. */
  interval: readonly [number, number] | null;
}

/** One sentence that every page with a suite's headline says, and where its methodology says more. */
export interface Caution {
  text: string;
  /** Of a heading of the suite's methodology page. */
  anchor: string;
}

/** Facts about a run that `finish` needs in addition to the samples. */
export interface RunFacts<Options> {
  /** Seeds the bootstrap, so that the same run always prints the same interval. */
  runId: string;
  options: Options;
  prices: Prices | null;
  /** From the run's start to its last answer, ms; null for answers made elsewhere. */
  wallMs: number | null;
  /** Null or left out where one endpoint was asked. */
  hybrid?: HybridRouting | null;
}

/** A suite's summary of a run: what the API serves and the report page draws. */
export interface Summary {
  /** By metric id; every metric of the catalogue. */
  metrics: Record<string, Estimate>;
  /** Named tables of counts and ratios, suite by suite. */
  breakdown: Json;
}

/** Inputs of a report in addition to the summary; null where there are none, as for answers made elsewhere. */
export interface ReportedRun<Options> {
  options: Options;
  /** Id of the metric that ranks it; left out: the suite's headline. */
  headline?: string;
  points: RunPoints | null;
  timeline: Timeline | null;
}

/** A sample, the answer to it and what that earned. */
export interface SampleToShow<Sample, Detail> {
  sample: Sample;
  answer: Answer;
  score: Pick<SampleScore<Detail>, "status" | "score"> & { detail: Detail | null };
}

/** A column of a suite's table of judged parts. */
interface FieldColumn {
  id: string;
  /** What a cell holds, with its range. */
  description: string;
}

/** A judged part of an answer: a cell by column, null where there is nothing. */
export type FieldRow = Readonly<Record<string, Json>>;

/**
 * What a suite judges of one answer, part by part: a field, a slot, an argument, a component, a judgment. A
 * sample has a row for each part of what its detail keeps.
 */
export interface FieldTable<Sample, Detail> {
  columns: readonly FieldColumn[];
  /** Every row has every column; none where the detail is not kept, or the answer was not judged. Never throws. */
  rows(shown: SampleToShow<Sample, Detail>): FieldRow[];
}

/** A sample as texts, for formats that know nothing of suites. */
export interface SampleText {
  /** What is asked, without prompt and without what is expected. */
  input: string;
  /** What is expected; empty where nothing is. */
  references: string[];
}

/**
 * How the scored samples of a run become its summary: each is added once, in the order of the run.
 * A state is plain JSON of bounded size, so that a long run can be summed up in pieces, one after the
 * other. The same samples in the same order give the same bytes.
 */
export interface Aggregator<State, Detail, Options> {
  empty(): State;
  /** May change and return `state`. */
  add(state: State, sample: ScoredSample<Detail>): State;
  finish(state: State, run: RunFacts<Options>): Summary;
}

/** A sample that can be used, with what was tolerated in it. */
export interface CheckedSample<Sample> {
  sample: Sample;
  warnings: string[];
}

// biome-ignore-start lint/suspicious/noExplicitAny: a registry holds suites of every type, and only
// a suite's own functions look inside its values.

/** What the pipeline needs to run a suite: what to ask, how to score, how to sum up. */
export interface SuitePipeline<Sample = any, Options = any, Detail = any, State = any> {
  id: string;
  /** Raised by every change that moves a score. */
  version: string;
  /** Id of the metric that ranks runs with default options. */
  headline: string;
  optionsSchema: ZodType<Options>;
  /** Whether a dataset row is usable; the error says why it is malformed. */
  checkSample(row: unknown): Result<CheckedSample<Sample>, string>;
  sampleHead(sample: Sample): SampleHead & { tags: Record<string, string> };
  /** Deterministic: called again wherever a lane needs it. */
  plan(heads: readonly SampleHead[], options: Options): Unit[];
  /** Replies so far, in order, of only this unit. */
  next(task: UnitTask<Sample, Options>, replies: readonly Answer[]): Step;
  score(sample: Sample, answer: Answer, options: Options): SampleScore<Detail>;
  /**
   * What a scored sample adds to the metrics that runs are compared by, the same metrics for every
   * sample and the suite's headline first. Over all samples Σ of / Σ over is the metric as `finish` gives it; a
   * number is a share over 1, null no value.
   */
  sampleValues(score: SampleScore<Detail>): Readonly<Record<string, number | Share | null>>;
  aggregate: Aggregator<State, Detail, Options>;
  /** The options that change a score; hashed with `version` into `scoringVersion`. */
  scoringOptions(options: Options): Json;
  /** The model's instructions without the sample; hashed into `promptHash`. */
  prompt(options: Options): Json;
}

/** What a submission may ask of a suite beyond that; every member is left out by suites without it. */
interface SuiteRequests<Sample = any, Options = any> {
  /** Id of the metric that ranks runs with these options; left out where that is always `headline`. */
  headlineOf?(options: Options): string;
  /** A run's options once its target is known; left out where every target is ranked by the same metric. */
  optionsFor?(options: Options, target: Target): Options;
  /**
   * Options that only a target of a local and a cloud endpoint can have; left out by suites that take no
   * such target.
   */
  hybridOptions?: readonly string[];
  /**
   * What a submission may sweep: by the name it has in `options.sweep`, the option that it sets. For what is
   * sent to endpoints the name is theirs, so that a parameter which an endpoint refuses is known again.
   * Only options that change the answers alone: runs that differ in them have the same plan, scoring and
   * prompt, and so can be compared. Left out by suites that have none.
   */
  sweeps?: Readonly<Record<string, string>>;
  /**
   * Its answers may hold tool calls in addition to or instead of output. Where left out, submitted answers with
   * tool calls are refused: they would be scored as empty.
   */
  readsToolCalls?: true;
  /**
   * A row of a table, as data sets are shared in, as a dataset row: names that are usual there become the
   * suite's, and JSON in text is parsed. A column that is null counts as left out, so none is here. What makes
   * no sample is left as it is, for `checkSample` to say so. Left out by suites whose rows are shared as they are.
   */
  rowFromColumns?(columns: JsonObject): JsonObject;
  /** What is found out about a sample before a model is asked. */
  stages?: readonly Stage<Sample, Options>[];
  /** How models judge the answers; left out by suites whose scores need none. */
  judging?: Judging<Sample, Options>;
}

/** What boards, reports and sample pages show. */
interface SuiteReports<Sample = any, Options = any, Detail = any> {
  label: string;
  /** What the suite answers, as a question. */
  question: string;
  metrics: readonly Metric[];
  /** Ids of the metrics that a board shows next to the headline, in this order. */
  boardMetrics: readonly string[];
  /** What a reader of any figure of the headline has to know; left out by suites without such a limit. */
  caution?: Caution;
  /**
   * Which metric to choose a model by, and when: each metric once, the headline or one of `boardMetrics`.
   * The site names the best model for each. Left out by suites without advice.
   */
  guide?: readonly Guidance[];
  /**
   * Its figures describe answers and rate none: they get no grades, no colours of good and bad, and no advice.
   */
  isDescriptive?: true;
  /**
   * Lines by the headline that every board and report shows, the highest first, of runs with these options; left
   * out by suites that have none.
   */
  references?(options: Options): readonly Reference[];
  /** Tables for readers with different purposes, in the order they are offered; left out by suites that have none. */
  views?: readonly View[];
  /** What a value has to reach, metric by metric; left out by suites that state no limits. */
  thresholds?: readonly MetricLimits[];
  /**
   * By id, metrics of `sampleValues` whose value over samples follows from parts; `sampleValues` then has
   * the parts, too, and under the metric's own id what each sample is worth by itself.
   */
  composites?: Readonly<Record<string, Composite>>;
  /**
   * A run's headline by tag, as its breakdown has it: tags in the breakdown's order; empty where there is no
   * breakdown, or one that this version can't read. Left out by suites whose breakdowns have no tags.
   */
  tagFigures?(breakdown: unknown, headline: string): TagFigure[];
  /**
   * A breakdown with every count and none of the single samples that it names, for readers from whom samples are
   * hidden. Left out by suites whose breakdowns name none.
   */
  breakdownWithoutSamples?(breakdown: Json): Json;
  /** The report's sections after the summary table, as data for the site to draw. */
  report(summary: Summary, run: ReportedRun<Options>): ReportSection[];
  /** Figures of single answers for charts, in addition to score, latency and tokens; left out if there are none. */
  features?(score: SampleScore<Detail>): Readonly<Record<string, number | string>>;
  /** One answer with its sample, for a reader to judge; the detail is null where it is not kept any more. */
  showSample(shown: SampleToShow<Sample, Detail>): ReportBlock[];
}

/** What exports and descriptions of data need. */
interface SuiteExports<Sample = any, Detail = any> {
  /** Shape of `Summary.breakdown`, for the API's description; left out if it is not documented. */
  breakdownSchema?: ZodType;
  /** Properties of samples in addition to tags and texts; numbers have a spread, texts are counted. */
  sampleFigures?(sample: Sample): Readonly<Record<string, number | string>>;
  /** The parts of an answer that are scored one by one, for exports. */
  fieldTable: FieldTable<Sample, Detail>;
  /** A sample in words, for exports in formats of other tools. */
  sampleText(sample: Sample): SampleText;
}

/**
 * An evaluation suite: plain functions without I/O, by who reads them. The pipeline knows units and requests, never
 * a suite; adding a suite is one folder and one line in the registry.
 */
export interface Suite<Sample = any, Options = any, Detail = any, State = any>
  extends SuitePipeline<Sample, Options, Detail, State>,
    SuiteRequests<Sample, Options>,
    SuiteReports<Sample, Options, Detail>,
    SuiteExports<Sample, Detail> {}
// biome-ignore-end lint/suspicious/noExplicitAny: as above
