import type { GaugeBlock } from "#shared/contracts/report.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { paths } from "../data/paths.ts";
import { headlineOf } from "../data/runs/run-state.ts";
import { formatCount } from "../format/number.ts";
import { CautionLine, VerdictLine } from "./CautionLine.tsx";
import { ModelMarks, OwnerMark } from "./ModelMarks.tsx";
import { RunActions } from "./RunActions.tsx";
import { RunStrip } from "./RunStrip.tsx";
import { SiteLink } from "./SiteLink.tsx";
import { sampleHrefs } from "./samples/sample-links.ts";
import type { ShownRun } from "./shown-run.ts";

interface Props {
  report: ShownRun;
  /** The headline on its scale; undefined if it was not measured. */
  gauge: GaugeBlock | undefined;
}

/** The evaluated model, its verdict, its key figures, and its largest losses. */
export const RunHead = ({ report, gauge }: Props) => {
  const { run, suite, place } = report;
  return (
    <header class="run-head">
      <p class="soft">{suite.label} report</p>
      <h1>
        <SiteLink place={place} path={paths.model(run.model.slug)}>
          {run.model.name}
        </SiteLink>
      </h1>
      <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
      <OwnerMark owner={run.submittedBy} />
      <VerdictLine verdict={place.standing?.verdict ?? null} />
      <RunStrip report={report} gauge={gauge} />
      {headlineOf(run) && <CautionLine suite={suite} place={place} />}
      {!isUnanswered(run) && <Losses report={report} />}
      {run.metrics !== null && <RunActions report={report} />}
    </header>
  );
};

const countText = (count: number, unit: string): string =>
  `${formatCount(count)} ${count === 1 ? unit.replace(/s$/, "") : unit}`;

/** Samples with the lowest scores, for suites that don't state what costs points. */
const mostWorst = 3;

/** The largest losses, with links to their samples, or else the samples with the lowest scores. */
const Losses = ({ report }: { report: ShownRun }) => {
  const { run, place, sections, samples } = report;
  const hrefOf = run.hiddenSamples ? () => undefined : sampleHrefs(place, run.id);
  const losses = sections.flatMap((section) => section.losses ?? []);
  const worst = samples.filter(({ kind }) => kind === "worst").slice(0, mostWorst);
  const items =
    losses.length > 0
      ? losses.map(({ label, count, unit, samples: filter }) => ({
          label: `${label} (${countText(count, unit)})`,
          href: Object.keys(filter).length === 0 ? undefined : hrefOf(filter),
        }))
      : worst.map(({ id, repeat }) => ({
          label: id,
          href: hrefOf({ sample: id, repeat: `${repeat}` }),
        }));
  if (items.length === 0) return null;
  return (
    <p class="losses">
      <strong>{losses.length > 0 ? "Loses points on" : "Lowest scores"}</strong>:{" "}
      {items.map(({ label, href }, i) => (
        <>
          {i > 0 && ", "}
          {href === undefined ? label : <a href={href}>{label}</a>}
        </>
      ))}
    </p>
  );
};
