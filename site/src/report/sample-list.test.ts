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

/** The list of a report that has only the fields that it reads. */
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

it("SampleList() draws one sample of each kind before a second of any, all folded", () => {
  const large = "x".repeat(7_000);
  const document = drawn([
    sample("worst", "w", large),
    sample("worst", "v", large),
    sample("best", "b", large),
  ]);
  expect(idsOf(document, "details:not([open]) > summary")).toEqual(["w", "b"]);
  expect(idsOf(document, "li > a")).toEqual(["v"]);
  expect(document.querySelector("details[open]")).toBeNull();
});

it("SampleList() links samples for which there is no room, and folds the others", () => {
  const document = drawn([
    sample("worst", "w"),
    sample("worst", "v"),
    sample("best", "b", "x".repeat(20_000)),
  ]);
  expect(idsOf(document, "details:not([open]) > summary")).toEqual(["w", "v"]);
  expect(idsOf(document, "li > a")).toEqual(["b"]);
});

it("SampleList() of a standalone report draws all samples without links", () => {
  const samples = [sample("worst", "w"), sample("best", "b", "x".repeat(20_000))];
  const document = drawn(samples, { siteOrigin: null, isWhole: true });
  expect(idsOf(document, "details > summary")).toEqual(["w", "b"]);
  expect(document.querySelectorAll("a")).toHaveLength(0);
});
