import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { atomFeed } from "./feed.ts";

const aRun = (id: string, more: Partial<Run> = {}) =>
  ({
    ...{ id, suite: "extraction", headline: "eqs", status: "finished" },
    dataset: { name: "stock", version: "v", samples: 72 },
    model: { slug: "acme/m", name: "Extract" },
    provenance: { kind: "called", endpointHost: "api.example.com" },
    metrics: { eqs: { value: 0.9125, interval: [0.9, 0.93], n: 72, coverage: 1 } },
    progress: { total: 72, done: 72, failed: 0 },
    createdAt: "2026-11-20T09:00:00Z",
    finishedAt: "2026-11-20T10:00:00Z",
    ...more,
  }) as Run;

const origin = "https://assay.example";
const updated = "2026-11-21T00:00:00Z";

function parsed(xml: string) {
  const { DOMParser } = new JSDOM("").window;
  const { documentElement: feed } = new DOMParser().parseFromString(xml, "application/xml");
  expect(feed.tagName).toBe("feed");
  const text = (parent: Element, name: string) => parent.getElementsByTagName(name)[0]?.textContent;
  return { feed, text, entries: [...feed.getElementsByTagName("entry")] };
}

it("atomFeed() has an entry a finished run, with its page", () => {
  const { feed, text, entries } = parsed(atomFeed([aRun("run-1")], origin, updated));
  const [entry] = entries as [Element];
  expect(text(feed, "updated")).toBe("2026-11-20T10:00:00Z");
  expect(text(entry, "title")).toBe("Extract: EQS 0.912");
  expect(text(entry, "id")).toBe("https://assay.example/runs/run-1/");
  expect(entry.getElementsByTagName("link")[0]?.getAttribute("href")).toBe(text(entry, "id"));
  expect(text(entry, "summary")).toContain(
    "stock: EQS 0.912 (0.900–0.930) over 72 samples, coverage 100.0%. Called by Assay.",
  );
});

it("atomFeed() says how much of a run was covered, and where nothing was", () => {
  const estimate = { value: 0.5, interval: null, n: 72, coverage: 0.25 };
  const partly = aRun("partly", {
    ...{ metrics: { eqs: estimate }, progress: { total: 72, done: 72, failed: 54 } },
  });
  const silent = aRun("silent", {
    metrics: { eqs: { ...estimate, value: 0, coverage: 0 } },
    progress: { total: 72, done: 72, failed: 72 },
  });
  const { text, entries } = parsed(atomFeed([partly, silent], origin, updated));
  const [first, second] = entries as [Element, Element];
  expect(text(first, "summary")).toContain("EQS 0.500 over 72 samples, coverage 25.0%.");
  expect(text(second, "title")).toBe("Extract: no answers");
  expect(text(second, "summary")).toContain("none of 72 requests was answered, coverage 0.0%.");
});

it("atomFeed() leaves out what has no result, and all but the newest fifty", () => {
  const failed = aRun("failed", { status: "failed" });
  const many = Array.from({ length: 60 }, (_, i) => aRun(`run-${i}`));
  const { text, entries } = parsed(atomFeed([failed, ...many], origin, updated));
  expect(entries).toHaveLength(50);
  expect(text(entries[0] as Element, "id")).toBe("https://assay.example/runs/run-0/");
});

it("atomFeed() without results is a feed", () => {
  const { feed, text, entries } = parsed(atomFeed([], origin, updated));
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
])("atomFeed() keeps the name %j text", (name) => {
  const run = aRun("run-1", { model: { ...aRun("x").model, name } });
  const { text, entries } = parsed(atomFeed([run], origin, updated));
  expect(entries).toHaveLength(1);
  const shown = name.replaceAll("\u0000", "\ufffd").replaceAll("\u000b", "\ufffd");
  expect(text(entries[0] as Element, "title")).toBe(`${shown}: EQS 0.912`);
  expect(entries[0]?.children).toHaveLength(6);
});

it("atomFeed() is newest first, whatever the order of the runs", () => {
  const runs = ["03", "05", "04"].map((day) =>
    aRun(`run-${day}`, { finishedAt: `2026-11-${day}T10:00:00Z` }),
  );
  const { feed, text, entries } = parsed(atomFeed(runs, origin, updated));
  expect(entries.map((entry) => text(entry, "id")?.slice(-3, -1))).toEqual(["05", "04", "03"]);
  expect(text(feed, "updated")).toBe("2026-11-05T10:00:00Z");
});

it("atomFeed() says of a simulated model that it is one, and that answers were sent", () => {
  const model = { ...aRun("x").model, simulated: true };
  const provenance = { kind: "self-reported", endpointHost: null } as const;
  const { text, entries } = parsed(
    atomFeed([aRun("run-1", { model, provenance })], origin, updated),
  );
  expect(text(entries[0] as Element, "title")).toBe("Extract (simulated model): EQS 0.912");
  expect(text(entries[0] as Element, "summary")).toContain("Self-reported.");
});

it("atomFeed() has what RFC 4287 wants of a feed and its entries, each once", () => {
  const { feed, entries } = parsed(atomFeed([aRun("run-1")], origin, updated));
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
  ]);
  const links = [...feed.children].filter(({ tagName }) => tagName === "link");
  expect(links.map((link) => [link.getAttribute("rel"), link.getAttribute("href")])).toEqual([
    ["self", `${origin}/feed.xml`],
    ["alternate", `${origin}/`],
  ]);
});
