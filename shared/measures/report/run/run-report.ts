import { coverageFloor } from "../../../contracts/boards/coverage-floor.ts";
import { suiteFor } from "../../../contracts/boards/ranking.ts";
import { cutText } from "../../../contracts/bounds.ts";
import type { Json } from "../../../contracts/json.ts";
import type {
  NoteBlock,
  ReportBlock,
  ReportSection,
  ShownSample,
} from "../../../contracts/report.ts";
import type { Run } from "../../../contracts/run.ts";
import type { Highlight, ReportSuite, RunReport } from "../../../contracts/run-report.ts";
import { isEnforcing } from "../../../contracts/submissions/providers.ts";
import type { Suite } from "../../../contracts/suite.ts";
import { peopleSection } from "../../judging/people-section.ts";
import type { RequestFailures } from "../../performance/request-failures.ts";
import { suiteOptions } from "../../suite-options.ts";
import { type Advice, failureAdviceSection } from "../advice/advice.ts";
import { failureActions } from "../advice/failure-actions.ts";
import { asBrief, note, tableOf, withSamples } from "../charts/blocks.ts";
import { isUnanswered } from "./is-unanswered.ts";
import { readStored } from "./read-stored.ts";
import { sampleBlocks } from "./sample-blocks.ts";

/**
 * The data of a run's report page, so that a page can draw any run without its suite's code: the run, the suite's
 * labels for its numbers, the suite's sections, and the highlights as the suite shows them. An unfinished run, or one
 * of an unknown suite, has no sections and no samples. If no request was answered, the reasons replace the suite's
 * sections. If so many failed that no board ranks the run, the reasons come second; if most failed, the
 * recommendations are only about them. The size is limited to that of a page.
 * @example runReport(suite, run, highlights.samples).sections[0]?.id // "summary"
 */
export function runReport(
  known: Suite | undefined,
  run: Run,
  highlights: readonly Highlight[],
): RunReport {
  const { breakdown, timeline: __, points: ___, ...listed } = run;
  if (known === undefined) {
    return { run: listed, suite: suiteOfRun(known, run), sections: [], samples: [] };
  }
  const suite = suiteFor(known, run.options);
  return withinPage({
    run: listed,
    suite: suiteOfRun(known, run),
    sections: sectionsOf(suite, run),
    samples: highlights.map((highlight) => shownSample(suite, run, highlight)),
    ...sourcesOf(breakdown),
  });
}

/** The number of clusters, which every suite's breakdown has as its units. */
function sourcesOf(breakdown: unknown): Pick<RunReport, "sources"> {
  const { units } = (breakdown ?? {}) as { units?: { kind?: unknown; count?: unknown } };
  return units?.kind === "clusters" && typeof units.count === "number"
    ? { sources: units.count }
    : {};
}

/**
 * A suite as reports name it, for a run.
 * @example suiteOfRun(suites.byId(run.suite), run).label // "Structured extraction"
 */
export const suiteOfRun = (
  known: Suite | undefined,
  run: Pick<Run, "suite" | "headline" | "options">,
): ReportSuite =>
  known === undefined
    ? unknownSuite(run)
    : reportSuite({ ...suiteFor(known, run.options), headline: run.headline });

function reportSuite({ id, label, question, headline, ...suite }: Suite): ReportSuite {
  const { boardMetrics, metrics, judging, fieldTable, listedMetrics = [] } = suite;
  const { name = "", verdicts = [], patterns = [] } = fieldTable.parts ?? {};
  return {
    id,
    label,
    question,
    headline,
    boardMetrics: [...boardMetrics],
    metrics: [...metrics],
    caution: suite.caution ?? null,
    judges: (judging?.judges ?? []).map((judge) => ({ id: judge.id, label: judge.label })),
    listed: {
      metrics: [...listedMetrics],
      part: name,
      verdicts: [...verdicts],
      patterns: [...patterns],
    },
  };
}

const unknownSuite = ({ suite, headline }: Pick<Run, "suite" | "headline">): ReportSuite => ({
  id: suite,
  label: suite,
  question: "",
  headline,
  boardMetrics: [],
  metrics: [],
  judges: [],
  caution: null,
});

function sectionsOf(suite: Suite, run: Run): ReportSection[] {
  const { metrics, breakdown, options, headline, points, timeline } = run;
  if (metrics === null || breakdown === null || breakdown === undefined) return [];
  if (isUnanswered(run)) return unansweredSections(run);
  const sections = () =>
    suite.report(
      { metrics, breakdown: breakdown as Json },
      {
        options: suite.optionsSchema.parse(suiteOptions(options)),
        headline,
        points,
        timeline,
        isEnforcing: isConstrained(run),
      },
    );
  const own = readStored(suite, run, sections, [olderSection(suite, run)]);
  return withFailures(run, withPeople(suite, run, own));
}

function isConstrained({ provenance: { endpointHost, cloudHost, protocol } }: Run): boolean {
  return endpointHost !== null && cloudHost === undefined && isEnforcing(endpointHost, protocol);
}

/** People's ratings come before the recommendations, which are last. */
function withPeople({ judging }: Suite, { people }: Run, own: ReportSection[]): ReportSection[] {
  const ratings = people === undefined ? [] : [peopleSection(people, judging?.judges ?? [])];
  const isLast = own.at(-1)?.id === "recommendations";
  return own.toSpliced(own.length - Number(isLast), 0, ...ratings);
}

/** Share of failed requests above which there is no other advice. */
const mostFailed = 0.5;

/** If most answers are missing, no rule can judge prompt or model. */
function withFailures(run: Run, sections: readonly ReportSection[]): ReportSection[] {
  const { failed, total } = run.progress;
  const share = failed / Math.max(1, total);
  if (share <= 1 - coverageFloor) return [...sections];
  const all = sections.toSpliced(1, 0, failureSection(run));
  if (share <= mostFailed) return all;
  return [...all.filter(({ id }) => id !== "recommendations"), failureAdvice(run)];
}

function olderSection({ label, version }: Suite, { suiteVersion }: Run): ReportSection {
  const made =
    suiteVersion === version
      ? `an earlier state of version ${version}`
      : `version ${suiteVersion}, and this is version ${version}`;
  const text = `This report was made by an older version of the suite (${label}, ${made}), whose tables can't be drawn here. The metrics are unchanged, and the API has the tables. Rescore the run for a full report.`;
  return {
    id: "summary",
    title: "Summary",
    intro: "The run's metrics are valid, but its charts can't be drawn.",
    blocks: [note("An older version", text)],
  };
}

function shownSample(suite: Suite, run: Run, { result, ...pick }: Highlight): ShownSample {
  const { id, status, score } = result;
  return { ...pick, id, status, score, blocks: sampleBlocks(suite, run, result) };
}

/** Longest text of a report, in characters: a long prompt. */
const mostText = 100_000;

/** Maximum size of a report as JSON, in characters: a page takes a few times as much, and 25 MiB are never served. */
const mostReport = 1_500_000;

/**
 * Limits a report to the size of a page, whatever is stored for its run. Texts are cut and end in "…". If the whole
 * is still too large, notes replace the blocks of first the samples and then the sections. A usual report has a tenth
 * of the limit and is unchanged. Linear.
 * @example withinPage(report).sections.length // that of the report
 */
export function withinPage(report: RunReport): RunReport {
  const cut = cutTexts(report) as RunReport;
  if (isSmall(cut)) return cut;
  const samples = cut.samples.map((one): ShownSample => ({ ...one, blocks: [left("sample")] }));
  const withoutSamples = { ...cut, samples };
  if (isSmall(withoutSamples)) return withoutSamples;
  const sections = cut.sections.map(
    (one): ReportSection => ({ ...one, blocks: [left("section")] }),
  );
  return { ...withoutSamples, sections };
}

const isSmall = (report: RunReport): boolean => JSON.stringify(report).length <= mostReport;

const left = (what: "sample" | "section"): NoteBlock =>
  note(
    "Too large to be shown",
    `The report of this run is larger than a page may be, so the ${what} is left out. The API has the complete data.`,
  );

/** The value itself if none of its texts is too long. */
function cutTexts(value: unknown): unknown {
  if (typeof value === "string") return cutText(value, mostText);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(cutTexts);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(
    ([name, inner]) => [cutText(name, mostText), cutTexts(inner)] as const,
  );
  const isSame = changed.every(
    ([name, inner], i) => name === entries[i]?.[0] && inner === entries[i]?.[1],
  );
  return isSame ? value : Object.fromEntries(changed);
}

type FailedRun = Pick<Run, "points" | "progress">;

const count = (value: number): string => value.toLocaleString("en");

/** As text, such as "rate limited". */
const wordsOf = ({ class: name }: RequestFailures[number]): string => name.replaceAll("_", " ");

const failuresIn = ({ points }: FailedRun): RequestFailures => points?.failures ?? [];

/**
 * The report of a run in which no request was answered: that fact, the reasons, and what to do. Charts of answers
 * would be empty.
 * @example unansweredSections(run)[0]?.blocks[0]?.title // "Why requests failed"
 */
function unansweredSections(run: FailedRun): ReportSection[] {
  const failures = failuresIn(run);
  const { total } = run.progress;
  return [
    {
      id: "summary",
      title: "Summary",
      intro: `${total === 1 ? "The only request was not" : `None of ${count(total)} requests was`} answered, so there is nothing to draw. The run's figures follow from the rules for failed requests; they say nothing about the model.`,
      blocks: asBrief(reasonBlocks(failures, total)),
    },
    failureAdvice(run),
  ];
}

/**
 * Advice on failed requests, by their reasons.
 * @example failureAdvice(run).id // "recommendations"
 */
function failureAdvice(run: FailedRun): ReportSection {
  const [failures, { total, failed }] = [failuresIn(run), run.progress];
  const advice = failures.map((failure) =>
    adviceOn(failure.count, total, failureActions[failure.class], `: ${wordsOf(failure)}`),
  );
  return failureAdviceSection(advice.length === 0 ? [adviceOn(failed, total, unknown)] : advice);
}

/**
 * Why requests failed, if a substantial share did.
 * @example failureSection(run).id // "failed-requests"
 */
function failureSection(run: FailedRun): ReportSection {
  return {
    id: "failed-requests",
    title: "Failed requests",
    intro:
      "Why requests failed after all retries. Each scores 0, so the figures below say as much about the endpoint as about the model.",
    blocks: asBrief(reasonBlocks(failuresIn(run), run.progress.total)),
  };
}

function reasonBlocks(failures: RequestFailures, total: number): ReportBlock[] {
  if (failures.length === 0) {
    const text = "Each sample of the run shows its error; they are not summarized here.";
    return [note("Why requests failed", text)];
  }
  const table = tableOf(
    "Why requests failed",
    [
      ["reason", "Reason", "text", wordsOf],
      ["count", "Requests", "count"],
      ["share", "Of all", "percent", ({ count: its }) => its / total],
      [
        "example",
        "First sample and its error",
        "text",
        ({ id, message }) => (message === "" ? id : `${id}: ${message}`),
      ],
    ],
    failures,
  );
  return withSamples(table, failures, ({ class: error }) => ({ error }));
}

/** Appended to the advice for every reason. */
const thenAgain = "Then retry the failed samples, or submit the model again.";

const unknown = {
  change: "parameters",
  action: "Check the endpoint's address, its key, and the time allowed for a request.",
} as const;

const adviceOn = (
  failed: number,
  total: number,
  { change, action }: Pick<Advice, "change" | "action">,
  why = "",
): Advice => ({
  tone: "poor",
  cell: "Failed requests",
  format: "percent",
  interval: null,
  n: total,
  value: failed / total,
  finding: `${count(failed)} of ${count(total)} requests failed${why}.`,
  change,
  action: change === "data" ? action : `${action} ${thenAgain}`,
});
