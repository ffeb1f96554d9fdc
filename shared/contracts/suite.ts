import type { ZodType } from "zod";
import type { Answer, Call } from "./answer.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Judging, Stage } from "./judging/judging.ts";
import type { JudgedAnswer } from "./judging/judgment.ts";
import type { Estimate, Metric, MetricLimits } from "./metric.ts";
import type { ReportBlock, ReportSection } from "./report.ts";
import type { Result } from "./result.ts";
import type { RunPoints } from "./runs/run-points.ts";
import type { Share } from "./runs/run-scores.ts";
import type { Timeline } from "./runs/timeline.ts";
import type { HybridRouting, SampleHead, Step, Target, Unit, UnitTask } from "./runs/unit.ts";
import type { Prices } from "./submissions/prices.ts";

/**
 * A metric that is not a ratio of sums over samples, but is computed from several of them. A value is null if its
 * part has a zero denominator.
 */
export interface Composite {
  /** Ids in `sampleValues`. */
  parts: readonly string[];
  value(values: readonly (number | null)[]): number | null;
}

/** The score of an answer. A null score with status `unscored` means that a judge failed; it is never a zero. */
export interface SampleScore<Detail = unknown> {
  status: "scored" | "unscored" | "not_applicable";
  /** The sample's value of the metric that ranks the run, 0–1. */
  score: number | null;
  /** False if there is no answer: the score is 0 and the sample counts as not covered. */
  covered: boolean;
  /** Details in the suite's own shape: stored with the answer, shown on sample pages. */
  detail: Detail;
}

/** One scored sample, the input of aggregates and reports. */
export interface ScoredSample<Detail = unknown> {
  /** Index in the run, from 0: position of the sample × repeats + repeat. */
  seq: number;
  id: string;
  tags: Readonly<Record<string, string>>;
  score: SampleScore<Detail>;
  /** The answer without its text. */
  call: Call;
}

/** Advice on choosing a model: which metric to compare, and for what use. */
export interface Guidance {
  metric: string;
  /** Continues the metric's label: "for balance", "where somebody waits". */
  when: string;
}

/** A selection of metrics for readers with one purpose, in the order of a table's columns. */
export interface View {
  /** Used in addresses: lower-case letters, digits and hyphens. */
  id: string;
  label: string;
  /** The reader's question, in one sentence. */
  purpose: string;
  /** Ids in the catalogue, each once. */
  metrics: readonly string[];
}

/** The headline over a part of a run: the samples with one value of a tag. */
export interface TagFigure {
  tag: string;
  name: string;
  /** Number of answers with this value. */
  n: number;
  headline: { value: number; interval: [number, number] | null };
}

/** The headline of worthless answers: a reference line for figures. */
export interface Reference {
  id: string;
  label: string;
  description: string;
  value: number;
  /** 95% interval; null if it is not known for these options. */
  interval: readonly [number, number] | null;
}

/** One sentence shown on every page with a suite's headline, and a link to its methodology. */
export interface Caution {
  text: string;
  /** Id of a heading on the suite's methodology page. */
  anchor: string;
}

/** Facts about a run that `finish` needs in addition to the samples. */
export interface RunFacts<Options> {
  /** Seeds the bootstrap, so that a run always has the same intervals. */
  runId: string;
  options: Options;
  prices: Prices | null;
  /** From the run's start to its last answer, ms; null for answers made elsewhere. */
  wallMs: number | null;
  /** Null or missing for a single endpoint. */
  hybrid?: HybridRouting | null;
}

/** A suite's summary of a run: served by the API and drawn on the report page. */
export interface Summary {
  /** By metric id; every metric of the catalogue. */
  metrics: Record<string, Estimate>;
  /** Tables of counts and ratios, defined by each suite. */
  breakdown: Json;
}

/** Inputs of a report in addition to the summary; null if there are none, as for submitted answers. */
export interface ReportedRun<Options> {
  options: Options;
  /** Id of the metric that ranks it; missing: the suite's headline. */
  headline?: string;
  points: RunPoints | null;
  timeline: Timeline | null;
  /** The endpoint's documentation says that decoding follows the schema. */
  isEnforcing?: boolean;
}

/** A sample with its answer and score. */
export interface SampleToShow<Sample, Detail> {
  sample: Sample;
  answer: Answer;
  score: Pick<SampleScore<Detail>, "status" | "score"> & { detail: Detail | null };
  /** For a page of the sample: with every part, those with errors first. */
  isWhole?: boolean;
}

/** A column of a suite's table of judged parts. */
interface FieldColumn {
  id: string;
  /** Content of a cell, with its range. */
  description: string;
}

/** A judged part of an answer: a cell by column, null if empty. */
export type FieldRow = Readonly<Record<string, Json>>;

/**
 * A suite's judgments of the parts of one answer: a field, a slot, an argument, a component, a judgment. One row for
 * each part in the sample's detail.
 */
export interface FieldTable<Sample, Detail> {
  columns: readonly FieldColumn[];
  /** Missing if rows are not judged parts. */
  parts?: PartList;
  /** Every row has every column. No rows if the detail was deleted or the answer was not judged. Never throws. */
  rows(shown: SampleToShow<Sample, Detail>): FieldRow[];
}

/** A judged part of an answer, as lists of samples search it. */
export interface JudgedPart {
  /** Its place without indices. */
  path: string;
  verdict: string;
  /** Null: it is not judged. */
  isRight: boolean | null;
  /** Error patterns. */
  patterns: readonly string[];
  /** The model that judged it; null: none. */
  judge: string | null;
}

/** How rows of a field table are read as judged parts. */
export interface PartList {
  /** Name of a part in the singular, such as "field". */
  name: string;
  of(row: FieldRow): JudgedPart;
  /** Where no part is right or wrong: the verdict that lists show as the first error. */
  worst?: string;
  /** All verdicts and error patterns, for readers to choose from. */
  verdicts: readonly string[];
  patterns: readonly string[];
}

/** Why an answer as a whole does not count. */
export interface AnswerFault {
  /** Such as `not_json`; lists of samples find it as a verdict. */
  id: string;
  /** In one sentence without a full stop; code between backticks. */
  text: string;
}

/** A sample as texts, for export formats that don't know suites. */
export interface SampleText {
  /** The question, without prompt and expected answer. */
  input: string;
  /** The expected answer; empty if there is none. */
  references: string[];
}

/**
 * Aggregates the scored samples of a run into its summary; each is added once, in the order of the run. The state is
 * plain JSON of bounded size, so a long run can be aggregated in pieces. The same samples in the same order give the
 * same bytes.
 */
export interface Aggregator<State, Detail, Options> {
  empty(options: Options): State;
  /** May change and return `state`. */
  add(state: State, sample: ScoredSample<Detail>): State;
  finish(state: State, run: RunFacts<Options>): Summary;
}

/** A valid sample, with warnings. */
export interface CheckedSample<Sample> {
  sample: Sample;
  warnings: string[];
}

// biome-ignore-start lint/suspicious/noExplicitAny: a registry holds suites of every type, and only
// a suite's own functions look inside its values.

/** The members that the pipeline uses to run a suite: requests, scoring, aggregation. */
export interface SuitePipeline<Sample = any, Options = any, Detail = any, State = any> {
  id: string;
  /** Increased by every change that changes a score. */
  version: string;
  /** Id of the metric that ranks runs with default options. */
  headline: string;
  optionsSchema: ZodType<Options>;
  /** Whether a dataset row is valid; the error says why it is malformed. */
  checkSample(row: unknown): Result<CheckedSample<Sample>, string>;
  sampleHead(sample: Sample): SampleHead & { tags: Record<string, string> };
  /** Deterministic: called again whenever a lane needs the units. */
  plan(heads: readonly SampleHead[], options: Options): Unit[];
  /** Earlier replies of this unit, in order. */
  next(task: UnitTask<Sample, Options>, replies: readonly Answer[]): Step;
  score(sample: Sample, answer: Answer, options: Options): SampleScore<Detail>;
  aggregate: Aggregator<State, Detail, Options>;
}

/** The members that decide whether runs are comparable, and their values to compare. */
interface SuiteComparisons<Options = any, Detail = any> {
  /** The options that change a score; hashed with `version` into `scoringVersion`. */
  scoringOptions(options: Options): Json;
  /** The model's instructions without the sample; hashed into `promptHash`. */
  prompt(options: Options): Json;
  /**
   * A scored sample's contribution to the metrics by which runs are compared: the same metrics for every sample, the
   * headline first. Over all samples Σ of / Σ over is the metric as `finish` computes it; a number is a share with
   * `over` 1, null means no value. `options`: the run's options, because some metrics exist only with some options.
   */
  sampleValues(
    score: SampleScore<Detail>,
    options?: Options,
  ): Readonly<Record<string, number | Share | null>>;
  /**
   * By id, metrics of `sampleValues` that are computed from parts. `sampleValues` then also has the parts and, under
   * the metric's own id, the value of each single sample.
   */
  composites?: Readonly<Record<string, Composite>>;
}

/** Optional features of submissions; a suite without a feature omits its member. */
interface SuiteRequests<Sample = any, Options = any, Detail = any> {
  /** `optionsSchema` for new runs, if it rejects options that stored runs may have. */
  newOptionsSchema?: ZodType<Options>;
  /** Id of the metric that ranks runs with these options; missing if it is always `headline`. */
  headlineOf?(options: Options): string;
  /** Completes a run's options once its target is known; missing if every target is ranked by the same metric. */
  optionsFor?(options: Options, target: Target): Options;
  /** Options that only a hybrid target can have; missing if the suite accepts none. */
  hybridOptions?: readonly string[];
  /**
   * Parameters that a submission can sweep: name in `options.sweep` → option. Parameters sent to endpoints keep the
   * endpoint's name, so that a rejected parameter is recognised. Only options that change nothing but the answers:
   * runs that differ in them have the same plan, scoring and prompt, and so are comparable. Missing if there are
   * none.
   */
  sweeps?: Readonly<Record<string, string>>;
  /** Scores depend on the latency of answers, so that stored ones can't be reused. */
  scoresLatency?: true;
  /**
   * Options that are prompts, which a submission can compare by name (`options.prompts`): they change only the request
   * to the model. Missing if there are none.
   */
  promptOptions?: readonly string[];
  /**
   * Its answers may contain tool calls in addition to or instead of output. If missing, submitted answers with tool
   * calls are rejected, because they would be scored as empty.
   */
  readsToolCalls?: true;
  /**
   * Converts a table row, as in shared datasets, to a dataset row: common column names become the suite's, and JSON
   * in text is parsed. Null columns count as missing. An invalid row is unchanged, so that `checkSample` reports it.
   * Missing in suites whose datasets are shared in their own format.
   */
  rowFromColumns?(columns: JsonObject): JsonObject;
  /**
   * The effect of a dataset's warnings on a run with these options, as a public sentence that quotes no sample; null: no
   * effect. Missing if warnings never have an effect.
   */
  datasetNote?(options: Options, warnings: readonly string[]): string | null;
  /** Facts about a sample that are determined before the model is asked. */
  stages?: readonly Stage<Sample, Options>[];
  /** How models judge the answers; missing if no score needs a judge. */
  judging?: Judging<Sample, Options>;
  /** The members that depend on the options, such as the judges of a run's own rubric; missing if none does. */
  withOptions?(options: Options): OwnMembers<Sample, Options>;
  /** The judged values of an answer, next to which people's ratings are put; missing if people can't rate. */
  judgedValues?(score: SampleScore<Detail>): readonly JudgedAnswer[];
}

/** The members of a suite that a run's options can replace. */
interface OwnMembers<Sample, Options> extends Pick<SuiteReports, "metrics" | "boardMetrics"> {
  judging: Judging<Sample, Options>;
}

/** The members for boards, reports and sample pages. */
interface SuiteReports<Sample = any, Options = any, Detail = any> {
  label: string;
  /** The question that the suite answers. */
  question: string;
  metrics: readonly Metric[];
  /** Ids of the metrics that a board shows next to the headline, in this order. */
  boardMetrics: readonly string[];
  /**
   * Ids of the metrics that differ between hosts of one model: whether outputs fit their schema, whether tools are
   * called. Missing if there are none.
   */
  hostMetrics?: readonly string[];
  /** A limit of the headline that every reader must know; missing if there is none. */
  caution?: Caution;
  /**
   * How to choose a model by metrics: each metric once, the headline or one of `boardMetrics`. The site names the
   * best model for each. Missing in suites without advice.
   */
  guide?: readonly Guidance[];
  /** Its figures describe answers without rating them: no grades, no colours for good and bad, no advice. */
  isDescriptive?: true;
  /**
   * Reference lines of the headline on every board and report, highest first, for runs with these options; missing if
   * there are none.
   */
  references?(options: Options): readonly Reference[];
  /** Tables for readers with different purposes, in display order; missing if there are none. */
  views?: readonly View[];
  /** Limits by metric; missing if the suite states none. */
  thresholds?: readonly MetricLimits[];
  /**
   * A run's headline by tag, from its breakdown and in its order; empty if there is no breakdown or this version
   * can't read it. Missing if the suite's breakdowns have no tags.
   */
  tagFigures?(breakdown: unknown, headline: string): TagFigure[];
  /**
   * A breakdown with every count but without single samples, for readers who can't see samples. Missing if breakdowns
   * name no samples.
   */
  breakdownWithoutSamples?(breakdown: Json): Json;
  /** The report's sections after the summary table, as data for the site to draw. */
  report(summary: Summary, run: ReportedRun<Options>): ReportSection[];
  /** Figures of single answers for charts, in addition to score, latency and tokens; missing if there are none. */
  features?(score: SampleScore<Detail>): Readonly<Record<string, number | string>>;
  /** One answer with its sample, for a reader to check, without charts; the detail is null if it was deleted. */
  showSample(shown: SampleToShow<Sample, Detail>): ReportBlock[];
  /** Ids in `sampleValues`, 0 or 1 for a sample, that lists of samples show next to the headline. Missing: none. */
  listedMetrics?: readonly string[];
  /** Missing: failed requests, refusals and empty answers don't count. */
  answerFault?(shown: SampleToShow<Sample, Detail>): AnswerFault | null;
}

/** The members for exports and descriptions of data. */
interface SuiteExports<Sample = any, Detail = any> {
  /** Shape of `Summary.breakdown` for the API's description; missing if it is not documented. */
  breakdownSchema?: ZodType;
  /** Properties of samples in addition to tags and texts; numbers have a distribution, texts are counted. */
  sampleFigures?(sample: Sample): Readonly<Record<string, number | string>>;
  /** The parts of an answer that are scored separately, for exports. */
  fieldTable: FieldTable<Sample, Detail>;
  /** A sample as texts, for exports in formats of other tools. */
  sampleText(sample: Sample): SampleText;
  /**
   * The text that samples of the same source have in common, and its name in the singular. Missing if the suite itself
   * defines which samples belong together.
   */
  source?: { name: string; of(sample: Sample): string };
  /**
   * The expected values of a sample by field, to check whether its text contains them. Missing in suites whose samples
   * have no expected values.
   */
  goldValues?(sample: Sample): readonly (readonly [field: string, value: Json])[];
}

/**
 * An evaluation suite: functions without I/O, grouped by who calls them. The pipeline handles units and requests and
 * never branches on a suite; adding a suite is one folder and one line in the registry.
 */
export interface Suite<Sample = any, Options = any, Detail = any, State = any>
  extends SuitePipeline<Sample, Options, Detail, State>,
    SuiteComparisons<Options, Detail>,
    SuiteRequests<Sample, Options, Detail>,
    SuiteReports<Sample, Options, Detail>,
    SuiteExports<Sample, Detail> {}
// biome-ignore-end lint/suspicious/noExplicitAny: as above
