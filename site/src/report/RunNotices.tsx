import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { relayText } from "#shared/measures/report/run/provenance-text.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";

import { coverageWarning, sizeWarning, statusLabel } from "../data/runs/run-state.ts";
import { formatCount } from "../format/number.ts";
import { judgedBy } from "./judged-by.ts";
import { SimulatedJudges, SimulatedNotice } from "./SimulatedNotice.tsx";
import type { ShownRun } from "./shown-run.ts";

const VariantNotice = ({ report: { run, place } }: { report: ShownRun }) =>
  run.variant === null ? null : (
    <div class="notice">
      <p>
        <strong>Variant of a sweep: {variantText(run.variant)}.</strong> The best of many attempts
        would rank too high, so it is on no leaderboard.{" "}
        {place.sweep !== null && <a href={place.sweep}>All variants, compared</a>}
      </p>
    </div>
  );

const UnfinishedNotice = ({ report: { run } }: { report: ShownRun }) =>
  run.status === "finished" ? null : (
    <div class="notice notice-warn">
      <p>
        <strong>{statusLabel(run)}: this run has no scores.</strong>{" "}
        {run.statusReason && `Reason: ${run.statusReason}.`}
      </p>
      <p>
        {formatCount(run.progress.done)} of {formatCount(run.progress.total)} samples were done when
        this page was made.
      </p>
    </div>
  );

const WarningNotice = ({
  warning,
  reasons,
}: {
  warning: ReturnType<typeof sizeWarning>;
  /** Id of the section that says why. */
  reasons?: string | undefined;
}) =>
  warning === null ? null : (
    <p class="notice notice-warn">
      <strong>{warning.lead}</strong> {warning.text}{" "}
      {reasons !== undefined && <a href={`#report-${reasons}`}>Why requests failed</a>}
    </p>
  );

const reasonsId = ({ run, sections }: ShownRun): string | undefined =>
  isUnanswered(run) ? "summary" : sections.find(({ id }) => id === "failed-requests")?.id;

/** Cautions before the numbers. */
export const RunNotices = ({ report }: { report: ShownRun }) => {
  const { run, suite } = report;
  return (
    <>
      <WarningNotice warning={coverageWarning(run)} reasons={reasonsId(report)} />
      {run.model.simulated && <SimulatedNotice what="model" />}
      {run.judging !== null && (
        <SimulatedJudges simulated={judgedBy(suite.judges, run.judging).simulated} />
      )}
      <VariantNotice report={report} />
      <UnfinishedNotice report={report} />
      {!isUnanswered(run) && <WarningNotice warning={sizeWarning(run, report.sources)} />}
      {run.provenance.runner && (
        <p class="notice">
          <strong>Called by a runner.</strong>{" "}
          {`The runner ${run.provenance.runner.name} of ${run.provenance.runner.owner} sent Assay's requests to an endpoint that only it reaches, measured the times and signed the replies. Assay read and scored them, and does not know what answered.`}
        </p>
      )}
      {run.provenance.kind === "self-reported" && (
        <p class="notice notice-warn">
          <strong>Self-reported.</strong>{" "}
          {run.provenance.relay === undefined
            ? "The submitter sent finished answers; Assay scored them and does not know which model made them."
            : `The answers come from ${relayText(run.provenance.relay)}; Assay sent it the requests, measured the time and scored the answers, and does not know what made them.`}
        </p>
      )}
    </>
  );
};
