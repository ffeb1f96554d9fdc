import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { paths } from "../../data/paths.ts";
import { formatCount, formatInterval, formatValue } from "../../format/number.ts";
import { ModelMarks } from "../../report/ModelMarks.tsx";
import {
  actionsOf,
  hasEnded,
  isOutOfMoney,
  outcomesOf,
  progressText,
  type RunAction,
  scoreOf,
  spentText,
  stateText,
} from "./run-progress.ts";

const actionLabels: Record<RunAction, string> = {
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel",
};

export const runTitle = ({ model, variant }: Pick<Run, "model" | "variant">): string =>
  variant === null ? model.name : `${model.name}, ${variantText(variant)}`;

const Score = ({ run, metric }: { run: Run; metric: Metric }) => {
  const score = scoreOf(run);
  if (score === null) return null;
  return (
    <p class="run-score">
      <strong>{formatValue(score.value, metric.format)}</strong> {metric.label}, 95% interval{" "}
      {formatInterval(score.interval, metric.format)}, {formatCount(score.n)} samples
    </p>
  );
};

const Report = ({ run }: { run: Run }) => (
  <p>
    <a href={`${paths.viewer}?id=${encodeURIComponent(run.id)}`}>
      {run.status === "finished" ? "Report" : "The run"}
    </a>
    {run.links.report !== null && (
      <>
        , also at <code>{paths.run(run.id)}</code> once this site is rebuilt
      </>
    )}
    .
  </p>
);

const OutcomeBar = ({ run }: { run: Run }) => {
  const { total } = run.progress;
  let at = 0;
  const parts = outcomesOf(run).filter(({ count }) => count > 0);
  return (
    <>
      <svg
        class="outcome-bar"
        role="progressbar"
        aria-label={`Progress of ${runTitle(run)}`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={run.progress.done}
        aria-valuetext={progressText(run)}
        viewBox={`0 0 ${total} 1`}
        preserveAspectRatio="none"
      >
        {parts.map(({ tone, count }) => {
          at += count;
          return <rect class={toneClass(tone)} x={at - count} width={count} height={1} />;
        })}
      </svg>
      <p class="outcome-key small soft">
        {parts.map(({ tone, count, label }) => (
          <span>
            <i class={`swatch ${toneClass(tone)}`} />
            {label} {formatCount(count)}
          </span>
        ))}
      </p>
    </>
  );
};

/** Progress of a run; each poll draws it again, so it has no focusable parts until the run ends. */
export const RunState = ({ run, metric }: { run: Run; metric: Metric }) => {
  const spent = spentText(run);
  return (
    <>
      <OutcomeBar run={run} />
      <p class="run-counts">
        {progressText(run)}
        {spent !== null && <span class="soft"> · spent {spent}</span>}
      </p>
      <p class={`run-state run-state-${run.status}`}>{stateText(run)}.</p>
      <Score run={run} metric={metric} />
      {hasEnded(run) && <Report run={run} />}
    </>
  );
};

export const RunActions = ({ run }: { run: Run }) => (
  <>
    {isOutOfMoney(run) && (
      <label class="field">
        New total limit, USD; empty: none
        <input type="text" inputmode="decimal" name="limit" autocomplete="off" />
      </label>
    )}
    {actionsOf(run).map((action) => (
      <button type="button" data-action={action} data-run={run.id}>
        {actionLabels[action]}
        <span class="visually-hidden"> {runTitle(run)}</span>
      </button>
    ))}
  </>
);

export const RunPlace = ({ run, metric }: { run: Run; metric: Metric }) => (
  <section class="run-place" data-place={run.id}>
    <h3>{runTitle(run)}</h3>
    <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
    <div data-part="state">
      <RunState run={run} metric={metric} />
    </div>
    <p>
      <a href={`${paths.samples}?${new URLSearchParams({ run: run.id })}`}>
        Samples and answers<span class="visually-hidden"> of {runTitle(run)}</span>
      </a>
    </p>
    <form
      class="form-row"
      data-part="actions"
      method="post"
      aria-label={`Actions for ${runTitle(run)}`}
    >
      <RunActions run={run} />
    </form>
  </section>
);

/** Heading above the runs of a submission. */
export const SubmissionHead = ({ id }: { id: string }) => (
  <>
    <h2 id="outcome-title" tabindex={-1}>
      Progress
    </h2>
    <p class="prose">
      Submission <code>{id}</code>. You can close this page and return to its address later.
    </p>
    <p class="field-error" data-trouble />
    <div class="run-places" data-runs />
  </>
);

/** Shown for a submission that the service does not have. */
export const UnknownSubmission = ({ id }: { id: string }) => (
  <>
    <h2 id="outcome-title" tabindex={-1}>
      No submission “{id}”
    </h2>
    <p class="prose">
      No submission has this id. Check it against the id in the response to your submission: it
      begins with <code>sub_</code>. Find public runs that have ended by their model on{" "}
      <a href={paths.leaderboards}>the leaderboards</a>; any run can be{" "}
      <a href={paths.viewer}>opened by its own id</a>. The form above starts a new submission.
    </p>
  </>
);
