import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import type { Republication } from "#shared/contracts/boards/republication.ts";
import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { ListedRun } from "#shared/contracts/run.ts";

import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { provenanceText, relayText } from "#shared/measures/report/run/provenance-text.ts";
import {
  formatCount,
  formatDifference,
  formatDifferenceInterval,
  formatInterval,
  formatShare,
  formatValue,
} from "../format/number.ts";
import { escapeXml } from "../format/xml.ts";
import { causesText, outcomeText } from "./boards/republications.ts";
import { metricOf, suiteLabel } from "./metrics.ts";
import { paths } from "./paths.ts";
import { driftCauses, redirectText } from "./runs/history.ts";
import { headlineOf } from "./runs/run-state.ts";

/** Enough for a feed reader that polls once a week. */
const MAX_ENTRIES = 50;

/** Metadata of a feed; its addresses are paths of the site. */
export interface FeedHead {
  title: string;
  /** Permanent unique id. */
  id: string;
  self: string;
  /** The page with the same content. */
  page: string;
  /** Date of an empty feed. */
  updated: string;
}

export const allResultsFeed = {
  title: "Assay: new results",
  id: "results",
  self: paths.feed,
  page: "/",
};

/**
 * An Atom feed, newest entry first. Written without a library, because names are untrusted text: escaped for XML,
 * and with plain-text titles, which a library would make HTML. Source: RFC 4287.
 */
export function atomFeed(head: FeedHead, entries: readonly FeedEntry[], origin: string): string {
  const newest = entries
    .toSorted((a, b) => b.updated.localeCompare(a.updated))
    .slice(0, MAX_ENTRIES);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title>${escapeXml(head.title)}</title>
  <id>${escapeXml(tagUri(origin, head.id))}</id>
  <link rel="self" type="application/atom+xml" href="${escapeXml(origin + head.self)}"/>
  <link rel="alternate" type="text/html" href="${escapeXml(origin + head.page)}"/>
  <updated>${escapeXml(newest[0]?.updated ?? head.updated)}</updated>
  <author><name>Assay</name></author>
${newest.map((entry) => entryXml(entry, origin)).join("")}</feed>
`;
}

function entryXml({ title, id, page, updated, category, facts }: FeedEntry, origin: string) {
  const address = escapeXml(origin + page);
  const [summary = "", ...details] = facts;
  const items = details.map((fact) => `<li>${escapeXml(fact)}</li>`).join("");
  const html = `<p>${escapeXml(summary)}</p><ul>${items}</ul>`;
  return `  <entry>
    <title>${escapeXml(title)}</title>
    <id>${escapeXml(tagUri(origin, id))}</id>
    <link rel="alternate" type="text/html" href="${address}"/>
    <updated>${escapeXml(updated)}</updated>
    <category term="${escapeXml(category.term)}" label="${escapeXml(category.label)}"/>
    <summary>${escapeXml(summary)}</summary>
    <content type="html">${escapeXml(html)}</content>
  </entry>
`;
}

/** A year in which the site's owner had the domain; any such year works if it never changes. */
const YEAR = 2026;

/**
 * A permanent name of something on a site, even if its address changes. Source: RFC 4151.
 * @example tagUri("https://assay.example", "runs/run_1") // "tag:assay.example,2026:runs/run_1"
 */
const tagUri = (origin: string, name: string): string =>
  `tag:${new URL(origin).hostname},${YEAR}:${encodeURI(name)}`;

/** A feed entry, in plain text. */
interface FeedEntry {
  title: string;
  /** Permanent unique id. */
  id: string;
  /** Path of its page. */
  page: string;
  updated: string;
  category: { term: string; label: string };
  /** A summary sentence, then its basis. */
  facts: readonly string[];
}

/** Scope of a feed: a suite's dataset, or everything. */
interface FeedScope {
  suite: string;
  dataset: string;
}

/** Finished runs, except variants of sweeps and rescored answers; drifts; re-published boards. */
export function feedEntries(
  { runs, drifts, republications }: Pick<Snapshot, "runs" | "drifts" | "republications">,
  scope?: FeedScope,
): FeedEntry[] {
  const isOf = (suite: string, dataset: string) =>
    scope === undefined || (suite === scope.suite && dataset === scope.dataset);
  const isIn = (of: { suite: string; dataset: { name: string } }) =>
    isOf(of.suite, of.dataset.name);
  return [
    ...runs.filter((run) => isIn(run) && !run.republished).flatMap(runEntry),
    ...drifts.filter(isIn).map(driftEntry),
    ...republications.filter(({ suite, dataset }) => isOf(suite, dataset)).map(republicationEntry),
  ];
}

function republicationEntry(republication: Republication): FeedEntry {
  const { id, suite, dataset, startedAt, finishedAt } = republication;
  const place = placeOf({ suite, dataset: { name: dataset } });
  return {
    title: `Re-published: ${place}`,
    id: `republications/${id}`,
    page: paths.republished,
    updated: finishedAt ?? startedAt,
    category: categoryOf(suite),
    facts: [`${place}.`, causesText(republication), outcomeText(republication)],
  };
}

function runEntry(run: ListedRun): FeedEntry[] {
  if (run.status !== "finished" || run.finishedAt === null || run.variant) return [];
  const { short, facts } = resultFacts(run);
  return [
    {
      title: `${nameOf(run.model)}: ${short}`,
      id: `runs/${run.id}`,
      page: paths.run(run.id),
      updated: run.finishedAt,
      category: categoryOf(run.suite),
      facts: [`${placeOf(run)}: ${short}.`, ...facts, ...trustFacts(run)],
    },
  ];
}

/** The result of a run, short for a title, and with its basis. */
function resultFacts(run: ListedRun): { short: string; facts: string[] } {
  if (isUnanswered(run)) {
    const { total } = run.progress;
    const facts = [`None of ${formatCount(total)} requests was answered, coverage 0.0%`];
    return { short: "no answers", facts };
  }
  const metric = metricOf(run.suite, run.headline);
  const headline = headlineOf(run);
  const short = `${metric.label} ${formatValue(headline?.value, metric.format)}`;
  if (!headline) return { short, facts: [] };
  const { interval, n, coverage } = headline;
  const around = interval ? [`95% interval ${formatInterval(interval, metric.format)}`] : [];
  const samples = `${formatCount(n)} ${n === 1 ? "sample" : "samples"}`;
  return { short, facts: [...around, `${samples}, coverage ${formatShare(coverage)}`] };
}

/** Cautions for readers. */
function trustFacts(run: ListedRun): string[] {
  const { kind, endpointHost, cloudHost, relay } = run.provenance;
  const host = [endpointHost, cloudHost].filter(Boolean).join(" and ");
  const isShort = (headlineOf(run)?.coverage ?? 0) < coverageFloor;
  return [
    kind !== "self-reported"
      ? `C${provenanceText(run.provenance).slice(1)}${host === "" ? "" : ` at ${host}`}`
      : `Self-reported: the answers ${relay ? `come from ${relayText(relay)}` : "were made elsewhere"}`,
    ...(run.model.simulated ? ["A simulated model; says nothing about a real one"] : []),
    ...(isShort ? [`Below ${formatShare(coverageFloor)} coverage: not ranked`] : []),
  ];
}

function driftEntry(drift: DriftNotice): FeedEntry {
  const { run, reference, interval, n, eValue, attribution, redirect } = drift;
  const metric = metricOf(drift.suite, drift.metric);
  const change = `${metric.label} ${formatDifference(drift.difference, metric.format)}`;
  return {
    title:
      redirect === null
        ? `${nameOf(drift.model)} has drifted: ${change}`
        : `${nameOf(drift.model)} is answered by another model, ${redirect.now}: ${change}`,
    id: `drifts/${run}/${reference}`,
    page: paths.run(run),
    updated: drift.observedAt,
    category: categoryOf(drift.suite),
    facts: [
      `${placeOf(drift)}: ${change} against its reference run ${reference}.`,
      ...(interval === null
        ? []
        : [`95% interval ${formatDifferenceInterval(interval, metric.format)}`]),
      `${formatCount(n)} samples that both cover, e-value ${formatCount(eValue)}`,
      redirect === null ? `Caused by ${driftCauses[attribution]}` : redirectText(redirect),
    ],
  };
}

const nameOf = ({ name, simulated }: { name: string; simulated: boolean }): string =>
  `${name}${simulated ? " (simulated model)" : ""}`;

const placeOf = ({ suite, dataset }: { suite: string; dataset: { name: string } }): string =>
  `${suiteLabel(suite)} on ${dataset.name}`;

const categoryOf = (suite: string) => ({ term: suite, label: suiteLabel(suite) });
