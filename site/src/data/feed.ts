import type { Snapshot } from "#shared/contracts/snapshot.ts";
import { isUnanswered } from "#shared/measures/report/is-unanswered.ts";
import { formatCount, formatInterval, formatShare, formatValue } from "../format/number.ts";
import { escapeXml } from "../format/xml.ts";
import { metricOf, suiteLabel } from "./metrics.ts";
import { paths } from "./paths.ts";
import { headlineOf } from "./run-state.ts";

/** As many as a reader that looks in once a week needs. */
const MAX_ENTRIES = 50;

type Listed = Snapshot["runs"][number];

/** An Atom feed (RFC 4287) of finished runs but for variants of sweeps, newest first. `updated` is used where there are none. */
export function atomFeed(runs: readonly Listed[], origin: string, updated: string): string {
  const finished = runs.filter(
    (run) => run.status === "finished" && run.finishedAt !== null && !run.variant,
  );
  const entries = finished
    .toSorted((a, b) => (b.finishedAt ?? "").localeCompare(a.finishedAt ?? ""))
    .slice(0, MAX_ENTRIES);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Assay: new results</title>
  <id>${escapeXml(`${origin}/`)}</id>
  <link rel="self" type="application/atom+xml" href="${escapeXml(origin + paths.feed)}"/>
  <link rel="alternate" type="text/html" href="${escapeXml(`${origin}/`)}"/>
  <updated>${escapeXml(entries[0]?.finishedAt ?? updated)}</updated>
  <author><name>Assay</name></author>
${entries.map((run) => entryOf(run, origin)).join("")}</feed>
`;
}

function entryOf(run: Listed, origin: string): string {
  const address = escapeXml(origin + paths.run(run.id));
  const simulated = run.model.simulated ? " (simulated model)" : "";
  const { short, whole } = resultText(run);
  const title = `${run.model.name}${simulated}: ${short}`;
  const maker = run.provenance.kind === "called" ? "Called by Assay" : "Self-reported";
  const summary = `${suiteLabel(run.suite)} on ${run.dataset.name}: ${whole}. ${maker}.`;
  return `  <entry>
    <title>${escapeXml(title)}</title>
    <id>${address}</id>
    <link rel="alternate" type="text/html" href="${address}"/>
    <updated>${escapeXml(run.finishedAt ?? run.createdAt)}</updated>
    <category term="${escapeXml(run.suite)}" label="${escapeXml(suiteLabel(run.suite))}"/>
    <summary>${escapeXml(summary)}</summary>
  </entry>
`;
}

/** What came out of a run: for a title, and with all that it rests on. */
function resultText(run: Listed): { short: string; whole: string } {
  if (isUnanswered(run)) {
    const whole = `none of ${formatCount(run.progress.total)} requests was answered, coverage 0.0%`;
    return { short: "no answers", whole };
  }
  const metric = metricOf(run.suite, run.headline);
  const headline = headlineOf(run);
  const short = `${metric.label} ${formatValue(headline?.value, metric.format)}`;
  if (!headline) return { short, whole: short };
  const { interval, n, coverage } = headline;
  const around = interval ? ` (${formatInterval(interval, metric.format)})` : "";
  const rests = `${formatCount(n)} samples, coverage ${formatShare(coverage)}`;
  return { short, whole: `${short}${around} over ${rests}` };
}
