import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { ShownSample } from "#shared/contracts/report.ts";
import { SampleList } from "./SampleList.tsx";
import { onSite, type ShownRun } from "./shown-run.ts";

const sample = (kind: ShownSample["kind"], id: string, text = "short"): ShownSample => ({
  id,
  repeat: 0,
  kind,
  reason: "",
  status: "scored",
  score: 0.5,
  blocks: [{ kind: "note", title: "Note", tone: "neutral", text }],
});

/** Of a report only what its samples are drawn from. */
const drawn = (samples: readonly ShownSample[], place: object = onSite) => {
  const report = {
    run: { id: "run_1", answersRemovedAt: null },
    samples,
    suite: { headline: "f1", metrics: [] },
    place,
  } as unknown as ShownRun;
  return new JSDOM(String(SampleList({ report }))).window.document;
};

const idsOf = (document: Document, selector: string) =>
  [...document.querySelectorAll(`${selector} code`)].map(({ textContent }) => textContent);

it.each<[string, ShownSample[], string[]]>([
  ["the worst", [sample("best", "b"), sample("worst", "w"), sample("worst", "v")], ["w"]],
  ["what there is", [sample("odd", "o"), sample("best", "b")], ["b"]],
  [
    "what there is room for",
    [sample("worst", "w", "x".repeat(20_000)), sample("worst", "v")],
    ["v"],
  ],
  ["none of none", [], []],
])("SampleList() opens %s", (_, samples, open) => {
  expect(idsOf(drawn(samples), "details[open] > summary")).toEqual(open);
});

it("SampleList() links what there is no room for, and folds the others", () => {
  const document = drawn([
    sample("worst", "w"),
    sample("worst", "v"),
    sample("best", "b", "x".repeat(20_000)),
  ]);
  expect(idsOf(document, "details:not([open]) > summary")).toEqual(["v"]);
  expect(idsOf(document, "li > a")).toEqual(["b"]);
});

it("SampleList() of a report by itself draws all, and leads nowhere", () => {
  const samples = [sample("worst", "w"), sample("best", "b", "x".repeat(20_000))];
  const document = drawn(samples, { siteOrigin: null, isWhole: true });
  expect(idsOf(document, "details > summary")).toEqual(["w", "b"]);
  expect(document.querySelectorAll("a")).toHaveLength(0);
});
