import { describe, expect, it } from "vitest";
import type { ReportBlock } from "../../../contracts/report.ts";
import type { RunReport } from "../../../contracts/run-report.ts";
import { withinPage } from "./within-page.ts";

const text = (length: number): ReportBlock => ({
  kind: "text",
  title: "Answer",
  text: "x".repeat(length),
  marks: [],
  left: 0,
  isCode: false,
});

const report = (ofSample: ReportBlock[], ofSection: ReportBlock[], id = "a"): RunReport =>
  ({
    run: { id: "run_1", notes: [] },
    suite: { id: "extraction" },
    sections: [{ id: "summary", title: "Summary", intro: "", blocks: ofSection }],
    samples: [
      { id, kind: "odd", reason: "", repeat: 0, status: "scored", score: 1, blocks: ofSample },
    ],
  }) as unknown as RunReport;

const size = (value: unknown) => JSON.stringify(value).length;

describe("withinPage()", () => {
  it("leaves a usual report as it is", () => {
    const usual = report([text(10_000)], [text(10_000)]);
    expect(withinPage(usual)).toBe(usual);
  });

  it("cuts and marks long texts and names, as of runs that were stored before", () => {
    const long = "i".repeat(3_000_000);
    const given = report([text(3_000_000)], [text(1)], long);
    Object.assign(given.run, { options: { [long]: long } });
    const cut = withinPage(given);
    expect(size(cut)).toBeLessThan(500_000);
    expect(cut.samples[0]?.id.endsWith("…")).toBe(true);
    expect(Object.keys(cut.run.options)[0]?.length).toBe(100_000);
  });

  it("says what it leaves out of a report that is too large: samples first", () => {
    const many = Array.from({ length: 40 }, () => text(90_000));
    const cut = withinPage(report(many, [text(10)]));
    expect(cut.samples[0]?.blocks).toEqual([expect.objectContaining({ kind: "note" })]);
    expect(cut.sections[0]?.blocks).toEqual([text(10)]);
    const both = withinPage(report(many, many));
    expect(both.sections[0]?.blocks).toEqual([expect.objectContaining({ kind: "note" })]);
    expect(size(both)).toBeLessThan(10_000);
  });
});
