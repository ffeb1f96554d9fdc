import type { Snapshot } from "#shared/contracts/snapshot.ts";
import { formatInterval, formatValue } from "../format/number.ts";
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
  const metric = metricOf(run.suite, run.headline);
  const headline = headlineOf(run);
  const value = formatValue(headline?.value, metric.format);
  const interval = headline?.interval
    ? ` (${formatInterval(headline.interval, metric.format)})`
    : "";
  const address = escapeXml(origin + paths.run(run.id));
  const simulated = run.model.simulated ? " (simulated model)" : "";
  const title = `${run.model.name}${simulated}: ${metric.label} ${value}`;
  const maker = run.provenance.kind === "called" ? "Called by Assay" : "Self-reported";
  const summary = `${suiteLabel(run.suite)} on ${run.dataset.name}: ${metric.label} ${value}${interval} over ${headline?.n ?? 0} samples. ${maker}.`;
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
