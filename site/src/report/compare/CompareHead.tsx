import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import { differingText } from "#shared/measures/comparison/words/differing-text.ts";
import { type Verdict, verdictOf } from "#shared/measures/comparison/words/verdict.ts";
import { intervalBasis } from "#shared/measures/report/figures/interval-basis.ts";
import { paths } from "../../data/paths.ts";
import { formatCount, formatShare } from "../../format/number.ts";
import { CautionLine, VerdictLine } from "../CautionLine.tsx";
import { Facts } from "../Facts.tsx";
import { onSite, siteUrl } from "../shown-run.ts";
import { type Compared, metricOf, rankedRuns, runNames } from "./compared.ts";

interface Props {
  compared: Compared;
  /** Address of the comparison as JSON; null if there is none. */
  jsonUrl: string | null;
  /** Whether it is the head of a separate page. */
  isPage?: boolean;
}

const Simulated = ({ runs }: Pick<Compared["comparison"], "runs">) => {
  const simulated = runs.filter(({ model }) => model.simulated);
  if (simulated.length === 0) return null;
  const isAll = simulated.length === runs.length;
  return (
    <p class="notice notice-warn" role="note">
      <strong>{isAll ? "All of these models" : "Some of these models"} are simulated.</strong> A
      program that makes known mistakes gave the answers, to show and test the service; they say
      nothing about any real model.
    </p>
  );
};

/**
 * Runs with too little coverage for a board: failures count as 0, so their scores are lower than those of their
 * answers.
 */
const Uncovered = ({ compared: { comparison, suite, figures } }: { compared: Compared }) => {
  const names = runNames(comparison);
  const short = comparison.runs.flatMap(({ run }) => {
    const coverage = figures.get(run)?.[suite.headline]?.coverage ?? 1;
    return coverage < coverageFloor ? [`${names.get(run)} (${formatShare(coverage)})`] : [];
  });
  if (short.length === 0) return null;
  return (
    <p class="notice notice-warn" role="note">
      <strong>Not all of these runs answered enough to be ranked:</strong> {short.join(", ")} of the
      samples were measured. Requests that failed count as 0 in every test here.
    </p>
  );
};

/** Samples that are missing from some of the runs. */
const LeftOut = ({ comparison }: Pick<Compared, "comparison">) => {
  const names = runNames(comparison);
  const short = rankedRuns(comparison).filter(({ leftOut }) => leftOut > 0);
  if (short.length === 0) return null;
  return (
    <p class="prose">
      Samples that some run lacks are left out:{" "}
      {short
        .map(
          ({ run, leftOut, samples }) =>
            `${formatCount(leftOut)} of ${formatCount(samples)} of ${names.get(run)}`,
        )
        .join(", ")}
      .
    </p>
  );
};

/** Settings of the models, where they differ. */
const Settings = ({ comparison }: Pick<Compared, "comparison">) => {
  const names = runNames(comparison);
  const shown = comparison.runs.map(({ run }) => names.get(run) ?? run);
  const text = differingText(comparison.differingSettings, shown);
  return text === null ? null : <p class="prose">{text}</p>;
};

/** The units of intervals, if they are not single samples. */
const Basis = ({ comparison: { metrics } }: Pick<Compared, "comparison">) => {
  const basis = metrics[0] ? intervalBasis(metrics[0].units) : null;
  if (basis === null) return null;
  return basis.isFew ? (
    <p class="notice notice-warn" role="note">
      {basis.text}
    </p>
  ) : (
    <p class="prose">{basis.text}</p>
  );
};

/** Which run leads. Latencies depend on the load, so they are omitted if it differs. */
function leadOf(compared: Compared): Verdict | null {
  const { comparison, figures, isTimedAlike = false } = compared;
  const [tested] = comparison.metrics;
  if (tested === undefined) return null;
  const names = runNames(comparison);
  const figureOf = (run: string, id: string) => figures.get(run)?.[id]?.value ?? null;
  return verdictOf(tested, metricOf(compared, tested.metric), (run) => ({
    name: names.get(run) ?? run,
    p95Ms: isTimedAlike ? figureOf(run, "latencyP95") : null,
    costUsd: figureOf(run, "costPer1kUsd"),
  }));
}

/** The compared runs and their samples. */
export const CompareHead = ({ compared, jsonUrl, isPage = false }: Props) => {
  const { comparison, suite, place = onSite } = compared;
  const { dataset, metrics, runs, scoringVersion } = comparison;
  const title = `${runs.length} runs on ${suite.label}: ${dataset.name}`;
  return (
    <>
      {isPage ? (
        <h1>{title}</h1>
      ) : (
        <h2 id="result-title" tabindex={-1}>
          {title}
        </h2>
      )}
      <VerdictLine verdict={leadOf(compared)} />
      <CautionLine suite={suite} place={place} />
      <Simulated runs={runs} />
      <Uncovered compared={compared} />
      <Facts
        facts={[
          {
            term: "Common samples",
            text: formatCount(metrics[0]?.samples ?? 0),
          },
          { term: "Suite", text: suite.label, href: siteUrl(place, paths.suite(suite.id)) },
          {
            term: "Dataset",
            text: dataset.name,
            href: siteUrl(place, paths.dataset(suite.id, dataset.name)),
          },
          { term: "Dataset version", text: dataset.version.slice(0, 12), code: true },
          { term: "Scoring version", text: scoringVersion.slice(0, 12), code: true },
          ...(jsonUrl === null
            ? []
            : [{ term: "Data", text: "JSON of this comparison", href: jsonUrl }]),
        ]}
      />
      <Settings comparison={comparison} />
      <LeftOut comparison={comparison} />
      <Basis comparison={comparison} />
      {metrics.length === 0 && (
        <p class="notice notice-warn">
          These runs have no sample in common, so no test is possible.
        </p>
      )}
    </>
  );
};
