import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { Republication } from "#shared/contracts/boards/republication.ts";
import type { DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { ListedRun, Run } from "#shared/contracts/run.ts";

import { allResultsFeed, atomFeed, feedEntries } from "./feed.ts";

const aRun = (id: string, more: Partial<Run> = {}) =>
  ({
    id,
    suite: "extraction",
    headline: "eqs",
    status: "finished",
    dataset: { name: "stock", version: "v", samples: 72 },
    model: { slug: "acme/m", name: "Extract" },
    provenance: { kind: "called", endpointHost: "api.example.com" },
    metrics: { eqs: { value: 0.9125, interval: [0.9, 0.93], n: 72, coverage: 1 } },
    progress: { total: 72, done: 72, failed: 0 },
    createdAt: "2026-11-20T09:00:00Z",
    finishedAt: "2026-11-20T10:00:00Z",
    ...more,
  }) as Run;

const aDrift = (more: Partial<DriftNotice> = {}): DriftNotice => ({
  run: "run-2",
  reference: "run-1",
  suite: "extraction",
  metric: "eqs",
  dataset: { name: "stock", version: "v" },
  model: { slug: "acme/m", name: "Extract", simulated: false },
  difference: -0.034,
  interval: [-0.05, -0.018],
  n: 72,
  eValue: 41.3,
  moved: [],
  attribution: "judge",
  redirect: null,
  observedAt: "2026-11-21T10:00:00Z",
  ...more,
});

const origin = "https://assay.example";
const updated = "2026-11-21T00:00:00Z";

const feedOf = (runs: ListedRun[], drifts: DriftNotice[] = []) =>
  atomFeed(
    { ...allResultsFeed, updated },
    feedEntries({ runs, drifts, republications: [] }),
    origin,
  );

function parsed(xml: string) {
  const { DOMParser } = new JSDOM("").window;
  const { documentElement: feed } = new DOMParser().parseFromString(xml, "application/xml");
  expect(feed.tagName).toBe("feed");
  const text = (parent: Element, name: string) => parent.getElementsByTagName(name)[0]?.textContent;
  return { feed, text, entries: [...feed.getElementsByTagName("entry")] };
}

/** The HTML content of an entry, as a feed reader parses it. */
function htmlIn(entry: Element): Document {
  const [content] = entry.getElementsByTagName("content");
  expect(content?.getAttribute("type")).toBe("html");
  return new JSDOM(content?.textContent ?? "").window.document;
}

const listIn = (entry: Element): (string | null)[] =>
  [...htmlIn(entry).querySelectorAll("li")].map((item) => item.textContent);

it("atomFeed() has an entry with a link for each finished run", () => {
  const { feed, text, entries } = parsed(feedOf([aRun("run-1")]));
  const [entry] = entries as [Element];
  expect(text(feed, "updated")).toBe("2026-11-20T10:00:00Z");
  expect(text(entry, "title")).toBe("Extract: EQS 0.912");
  expect(text(entry, "id")).toBe("tag:assay.example,2026:runs/run-1");
  expect(entry.getElementsByTagName("link")[0]?.getAttribute("href")).toBe(
    "https://assay.example/runs/run-1/",
  );
  expect(text(entry, "summary")).toBe("Structured extraction on stock: EQS 0.912.");
  expect(listIn(entry)).toEqual([
    "95% interval 0.900–0.930",
    "72 samples, coverage 100.0%",
    "Called by Assay at api.example.com",
  ]);
});

it("atomFeed() states the coverage of a run, and when nothing was answered", () => {
  const estimate = { value: 0.5, interval: null, n: 72, coverage: 0.25 };
  const partly = aRun("partly", {
    metrics: { eqs: estimate },
    progress: { total: 72, done: 72, failed: 54 },
  });
  const silent = aRun("silent", {
    metrics: { eqs: { ...estimate, value: 0, coverage: 0 } },
    progress: { total: 72, done: 72, failed: 72 },
  });
  const { text, entries } = parsed(feedOf([partly, silent]));
  const [first, second] = entries as [Element, Element];
  expect(listIn(first)).toEqual([
    "72 samples, coverage 25.0%",
    "Called by Assay at api.example.com",
    "Below 95.0% coverage: not ranked",
  ]);
  expect(text(second, "title")).toBe("Extract: no answers");
  expect(listIn(second)[0]).toBe("None of 72 requests was answered, coverage 0.0%");
});

it("atomFeed() omits runs without a result, and all but the newest fifty", () => {
  const failed = aRun("failed", { status: "failed" });
  const many = Array.from({ length: 60 }, (_, i) => aRun(`run-${i}`));
  const { text, entries } = parsed(feedOf([failed, ...many]));
  expect(entries).toHaveLength(50);
  expect(text(entries[0] as Element, "id")).toBe("tag:assay.example,2026:runs/run-0");
});

it("atomFeed() is valid without results", () => {
  const { feed, text, entries } = parsed(feedOf([]));
  expect(entries).toEqual([]);
  expect(text(feed, "updated")).toBe(updated);
});

it.each([
  `"><script>alert(1)</script>`,
  "]]></title><entry>",
  "<!--",
  "&lt;b&gt; &amp;",
  "<![CDATA[x",
  "a\u0000\u000bb",
  "\u202edesrever",
])("atomFeed() escapes the name %j", (name) => {
  const run = aRun("run-1", { model: { ...aRun("x").model, name } });
  const { text, entries } = parsed(feedOf([run]));
  expect(entries).toHaveLength(1);
  const shown = name.replaceAll("\u0000", "\ufffd").replaceAll("\u000b", "\ufffd");
  expect(text(entries[0] as Element, "title")).toBe(`${shown}: EQS 0.912`);
  expect(entries[0]?.children).toHaveLength(7);
  expect(htmlIn(entries[0] as Element).querySelectorAll("body > :not(p, ul)")).toHaveLength(0);
});

it("atomFeed() sorts entries from newest to oldest", () => {
  const runs = ["03", "05", "04"].map((day) =>
    aRun(`run-${day}`, { finishedAt: `2026-11-${day}T10:00:00Z` }),
  );
  const { feed, text, entries } = parsed(feedOf(runs));
  expect(entries.map((entry) => text(entry, "id")?.slice(-2))).toEqual(["05", "04", "03"]);
  expect(text(feed, "updated")).toBe("2026-11-05T10:00:00Z");
});

it("atomFeed() marks simulated models and self-reported answers", () => {
  const model = { ...aRun("x").model, simulated: true };
  const provenance = { kind: "self-reported", endpointHost: null } as const;
  const { text, entries } = parsed(feedOf([aRun("run-1", { model, provenance })]));
  expect(text(entries[0] as Element, "title")).toBe("Extract (simulated model): EQS 0.912");
  expect(listIn(entries[0] as Element).slice(-2)).toEqual([
    "Self-reported: the answers were made elsewhere",
    "A simulated model; says nothing about a real one",
  ]);
});

it("atomFeed() has each element that RFC 4287 requires, once", () => {
  const { feed, entries } = parsed(feedOf([aRun("run-1")]));
  const namesIn = (parent: Element) => [...parent.children].map(({ tagName }) => tagName);
  expect(feed.namespaceURI).toBe("http://www.w3.org/2005/Atom");
  expect(namesIn(feed)).toEqual(["title", "id", "link", "link", "updated", "author", "entry"]);
  expect(namesIn(entries[0] as Element)).toEqual([
    "title",
    "id",
    "link",
    "updated",
    "category",
    "summary",
    "content",
  ]);
  const links = [...feed.children].filter(({ tagName }) => tagName === "link");
  expect(links.map((link) => [link.getAttribute("rel"), link.getAttribute("href")])).toEqual([
    ["self", `${origin}/feed.xml`],
    ["alternate", `${origin}/`],
  ]);
});

it("atomFeed() names the model that answers in place of another", () => {
  const redirect = { before: "grok-3", now: "grok-4.3" };
  const { text, entries } = parsed(feedOf([], [aDrift({ redirect })]));
  const [drift] = entries as [Element];
  expect(text(drift, "title")).toBe("Extract is answered by another model, grok-4.3: EQS −0.034");
  expect(listIn(drift)).toContain("The endpoint names the model grok-4.3, where it named grok-3");
});

it("atomFeed() lists drifts with their causes", () => {
  const { text, entries } = parsed(feedOf([aRun("run-1")], [aDrift()]));
  const [drift] = entries as [Element];
  expect(text(drift, "title")).toBe("Extract has drifted: EQS −0.034");
  expect(text(drift, "id")).toBe("tag:assay.example,2026:drifts/run-2/run-1");
  expect(text(drift, "summary")).toBe(
    "Structured extraction on stock: EQS −0.034 against its reference run run-1.",
  );
  expect(listIn(drift)).toEqual([
    "95% interval −0.050 to −0.018",
    "72 samples that both cover, e-value 41",
    "Caused by the judges: they now grade the reference's answers differently",
  ]);
});

it("feedEntries() of a dataset omits other datasets", () => {
  const dataset = { name: "acme/receipts", version: "v", samples: 72 };
  const runs = [aRun("run-1"), aRun("run-2", { dataset }), aRun("run-3", { suite: "tools" })];
  const entries = feedEntries(
    { runs, drifts: [aDrift(), aDrift({ suite: "tools" })], republications: [] },
    { suite: "extraction", dataset: "stock" },
  );
  expect(entries.map(({ id }) => id)).toEqual(["runs/run-1", "drifts/run-2/run-1"]);
});

it("feedEntries() omits variants of a sweep", () => {
  const runs = [aRun("run-1", { variant: { temperature: 0 } as never })];
  expect(feedEntries({ runs, drifts: [], republications: [] })).toEqual([]);
});

const anEstimate = { value: 0.9, interval: null, n: 72, coverage: 1 };

const republication: Republication = {
  id: "rep-1",
  suite: "extraction",
  dataset: "stock",
  metric: "eqs",
  causes: ["dataset"],
  reason: "Two totals were wrong",
  correctedSamples: 2,
  from: { board: "a", datasetVersion: "v", suiteVersion: "1" },
  to: { board: "b", datasetVersion: "w", suiteVersion: "1" },
  startedAt: "2026-11-21T09:00:00Z",
  finishedAt: "2026-11-21T09:10:00Z",
  withdrawn: 0,
  changes: ["run-1", "run-2"].map((run, i) => ({
    model: { slug: `acme/${i}`, name: `Model ${i}`, simulated: false },
    before: { run: `${run}-before`, rank: i + 1, headline: anEstimate },
    after: { run, rank: 2 - i, headline: anEstimate },
    reason: null,
  })),
};

it("feedEntries() has one entry for a re-published board, and none for its runs", () => {
  const rescored = { parent: "run-3", republished: true };
  const runs = [aRun("run-1", rescored), aRun("run-2", rescored), aRun("run-3")];
  const entries = feedEntries({ runs, drifts: [], republications: [republication] });
  expect(entries.map(({ id }) => id)).toEqual(["runs/run-3", "republications/rep-1"]);
  expect(entries[1]).toMatchObject({
    title: "Re-published: Structured extraction on stock",
    updated: "2026-11-21T09:10:00Z",
    facts: [
      "Structured extraction on stock.",
      "2 samples were corrected: “Two totals were wrong”.",
      "Of 2 entries 2 changed rank.",
    ],
  });
});
