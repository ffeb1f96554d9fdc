import { coverageFloor } from "../../../contracts/boards/coverage-floor.ts";
import type { Json } from "../../../contracts/json.ts";
import type { ReportSection, ShownSample } from "../../../contracts/report.ts";
import type { Run } from "../../../contracts/run.ts";
import type { Highlight, ReportSuite, RunReport } from "../../../contracts/run-report.ts";
import type { Suite } from "../../../contracts/suite.ts";
import { suiteOptions } from "../../suite-options.ts";
import { failureAdvice, failureSection, unansweredSections } from "./failure-sections.ts";
import { isUnanswered } from "./is-unanswered.ts";
import { readStored } from "./read-stored.ts";
import { sampleBlocks } from "./sample-blocks.ts";
import { withinPage } from "./within-page.ts";

/**
 * Everything that a run's report page draws, so that a page can draw any run without its suite's code: the run,
 * the suite's words for its numbers, the suite's sections, and the run's highlights as the suite shows them.
 * Of a run that has not finished, and of a suite that is not known here, there are no sections and no samples.
 * Of one in which nothing was answered there is why, in place of the suite's sections; where so many requests
 * failed that no board ranks it, that comes second, and where most did, recommendations are about them alone. It is
 * never larger than a page may be.
 * @example runReport(suite, run, highlights.samples).sections[0]?.id // "summary"
 */
export function runReport(
  suite: Suite | undefined,
  run: Run,
  highlights: readonly Highlight[],
): RunReport {
  const { breakdown: _, timeline: __, points: ___, ...listed } = run;
  if (suite === undefined) {
    return { run: listed, suite: unknownSuite(run), sections: [], samples: [] };
  }
  return withinPage({
    run: listed,
    suite: reportSuite({ ...suite, headline: run.headline }),
    sections: sectionsOf(suite, run),
    samples: highlights.map((highlight) => shownSample(suite, run, highlight)),
  });
}

function reportSuite({ id, label, question, headline, ...suite }: Suite): ReportSuite {
  const { boardMetrics, metrics, judging } = suite;
  return {
    id,
    label,
    question,
    headline,
    boardMetrics: [...boardMetrics],
    metrics: [...metrics],
    caution: suite.caution ?? null,
    judges: (judging?.judges ?? []).map((judge) => ({ id: judge.id, label: judge.label })),
  };
}

const unknownSuite = ({ suite, headline }: Run): ReportSuite => ({
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
      { options: suite.optionsSchema.parse(suiteOptions(options)), headline, points, timeline },
    );
  return withFailures(run, readStored(suite, run, sections, [olderSection(suite, run)]));
}

/** Share of failed requests above which nothing else is advised on. */
const mostFailed = 0.5;

/** Of answers that are mostly not there no rule can say what a prompt or a model lacks. */
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
    blocks: [{ kind: "note", title: "An older version", tone: "neutral", text }],
  };
}

function shownSample(suite: Suite, run: Run, { result, ...pick }: Highlight): ShownSample {
  const { id, status, score } = result;
  return { ...pick, id, status, score, blocks: sampleBlocks(suite, run, result) };
}
