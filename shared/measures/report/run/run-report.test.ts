import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyAnswer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import type { Run } from "../../../contracts/run.ts";
import { type Highlight, type RunReport, runReportSchema } from "../../../contracts/run-report.ts";
import type { ReportedRun, SampleToShow, Suite, Summary } from "../../../contracts/suite.ts";
import { aRun as aFinishedRun } from "../../../suites/__fixtures__/a-run.ts";
import { suites } from "../../../suites/registry.ts";
import { runReport, withinPage } from "./run-report.ts";

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
  it("does not change a report of usual size", () => {
    const usual = report([text(10_000)], [text(10_000)]);
    expect(withinPage(usual)).toBe(usual);
  });

  it("cuts long texts and names, such as in runs of older versions", () => {
    const long = "i".repeat(3_000_000);
    const given = report([text(3_000_000)], [text(1)], long);
    Object.assign(given.run, { options: { [long]: long } });
    const cut = withinPage(given);
    expect(size(cut)).toBeLessThan(500_000);
    expect(cut.samples[0]?.id.endsWith("…")).toBe(true);
    expect(Object.keys(cut.run.options)[0]?.length).toBe(100_000);
  });

  it("omits samples first if a report is too large, and notes this", () => {
    const many = Array.from({ length: 40 }, () => text(90_000));
    const cut = withinPage(report(many, [text(10)]));
    expect(cut.samples[0]?.blocks).toEqual([expect.objectContaining({ kind: "note" })]);
    expect(cut.sections[0]?.blocks).toEqual([text(10)]);
    const both = withinPage(report(many, many));
    expect(both.sections[0]?.blocks).toEqual([expect.objectContaining({ kind: "note" })]);
    expect(size(both)).toBeLessThan(10_000);
  });
});

const note = (text: string) => ({
  kind: "note" as const,
  title: "N",
  tone: "neutral" as const,
  text,
});

/** The parts of a suite that a report uses. */
const echo = {
  id: "echo",
  version: "1",
  label: "Echo",
  question: "Does it echo?",
  headline: "same",
  boardMetrics: ["parts"],
  metrics: [],
  judging: { judges: [{ id: "tone", label: "Tone", kind: "asked" }] },
  optionsSchema: z.strictObject({ loud: z.boolean() }),
  checkSample: (row: unknown) =>
    typeof row === "string"
      ? { ok: true, value: { sample: row.toUpperCase(), warnings: [] } }
      : { ok: false, error: "no text" },
  report: ({ breakdown }: Summary, { options, points }: ReportedRun<{ loud: boolean }>) => [
    {
      id: "summary",
      title: "Summary",
      intro: "All of it.",
      blocks: [
        note(`${z.object({ same: z.number() }).parse(breakdown).same} ${options.loud} ${points}`),
      ],
    },
  ],
  showSample: ({ sample, answer, score }: SampleToShow<string, Json>) => [
    note(`${sample} ${answer.output} ${JSON.stringify(score)}`),
  ],
  fieldTable: { columns: [], rows: () => [] },
} as unknown as Suite<string, { loud: boolean }>;

const aRun = (more: Partial<Run> = {}) =>
  aFinishedRun(echo, {
    dataset: { name: "stock", version: "v", samples: 1 },
    progress: { total: 1, done: 1, failed: 0 },
    options: { timeoutMs: 60_000, concurrency: 20, maxRetries: 3, loud: true },
    metrics: { same: { value: 1, interval: null, n: 1, coverage: 1 } },
    breakdown: { same: 1 },
    ...more,
  });

const aHighlight = (more: Partial<Highlight["result"]> = {}): Highlight => ({
  kind: "worst",
  reason: "lowest score",
  repeat: 1,
  result: {
    seq: 1,
    id: "s0",
    status: "scored",
    covered: true,
    score: 0.25,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    requests: 0,
    attempts: 0,
    queueWaitMs: null,
    retryWaitMs: null,
    errorClass: null,
    sample: "hi",
    answer: { ...emptyAnswer, output: "ho" },
    detail: { far: 1 },
    ...more,
  },
});

describe("runReport()", () => {
  it("contains the run without chart data, the suite's labels, its sections and samples", () => {
    const report = runReport(echo, aRun(), [aHighlight()]);
    const { breakdown: _, timeline: __, points: ___, ...listed } = aRun();
    expect(report.run).toEqual(listed);
    expect(report.suite).toEqual({
      id: "echo",
      label: "Echo",
      question: "Does it echo?",
      headline: "same",
      metrics: [],
      boardMetrics: ["parts"],
      caution: null,
      judges: [{ id: "tone", label: "Tone" }],
      listed: { metrics: [], part: "", verdicts: [], patterns: [] },
    });
    expect(report.sections.map(({ blocks }) => blocks)).toEqual([[note("1 true null")]]);
    expect(report.samples).toEqual([
      {
        kind: "worst",
        reason: "lowest score",
        id: "s0",
        repeat: 1,
        status: "scored",
        score: 0.25,
        blocks: [note('HI ho {"status":"scored","score":0.25,"detail":{"far":1}}')],
      },
    ]);
    expect(runReportSchema.parse(report)).toEqual(report);
    const breakdown = { ...(aRun().breakdown as object), units: { kind: "clusters", count: 12 } };
    expect(runReport(echo, aRun({ breakdown }), []).sources).toBe(12);
  });

  it("contains only the run if the suite is unknown", () => {
    const { run, suite, ...rest } = runReport(undefined, aRun(), [aHighlight()]);
    expect([run.id, suite.label, rest]).toEqual(["r1", "echo", { sections: [], samples: [] }]);
  });

  it.each<[string, Partial<Run>]>([
    ["without metrics", { status: "running", metrics: null, breakdown: null }],
    ["without tables", { breakdown: null }],
  ])("has no sections for a run %s", (_case, more) => {
    expect(runReport(echo, aRun(more), []).sections).toEqual([]);
  });

  it.each<[string, Partial<Run>]>([
    ["tables", { breakdown: { other: 1 } }],
    ["options", { options: { quiet: true } }],
  ])("notes that an older version made unreadable %s", (_case, more) => {
    const { sections } = runReport(echo, aRun(more), []);
    expect(sections.map(({ id }) => id)).toEqual(["summary"]);
    expect(sections[0]?.blocks).toMatchObject([
      { kind: "note", text: expect.stringContaining("(Echo, an earlier state of version 1)") },
    ]);
  });

  it("names both versions if results of an older version cause any error", () => {
    const broken = (): never => {
      throw new TypeError("no such table");
    };
    const later = { ...echo, version: "3", report: broken, showSample: broken };
    const { sections, samples } = runReport(later, aRun(), [aHighlight()]);
    expect(sections[0]?.blocks).toMatchObject([
      { text: expect.stringContaining("version 1, and this is version 3") },
    ]);
    expect(samples[0]?.blocks).toMatchObject([{ kind: "note", title: "Can't be shown" }]);
    expect(() => runReport({ ...later, version: "1" }, aRun(), [])).toThrow("no such table");
  });

  it("explains why nothing was answered and what to do, without charts", () => {
    const failures = [
      { class: "unauthorized" as const, count: 30, id: "s0", message: "no such key" },
      { class: "timeout" as const, count: 10, id: "s7", message: "" },
    ];
    const points = { answers: 40, points: [], latency: [], failures, picks: [] };
    const progress = { total: 40, done: 40, failed: 40 };
    const { sections } = runReport(echo, aRun({ progress, points }), []);
    expect(sections.map(({ id }) => id)).toEqual(["summary", "recommendations"]);
    expect(sections[0]?.intro).toMatch(/^None of 40 requests was answered/);
    expect(sections[0]?.blocks).toMatchObject([
      {
        kind: "table",
        rows: [
          { reason: "unauthorized", count: 30, share: 0.75, example: "s0: no such key" },
          { reason: "timeout", count: 10, share: 0.25, example: "s7" },
        ],
      },
    ]);
    expect(sections[1]?.blocks).toMatchObject([
      {
        kind: "advice",
        items: [
          { finding: "30 of 40 requests failed: unauthorized.", action: /endpoint's key/ },
          { finding: "10 of 40 requests failed: timeout.", action: /more time/ },
        ].map(({ finding, action }) => ({ finding, action: expect.stringMatching(action) })),
      },
    ]);
  });

  it("has a note if the failures of an unanswered run were not summarised", () => {
    const { sections } = runReport(echo, aRun({ progress: { total: 1, done: 1, failed: 1 } }), []);
    expect(sections[0]?.blocks).toMatchObject([
      { text: expect.stringContaining("Each sample of the run shows its error") },
    ]);
    expect(sections[0]?.intro).toMatch(/^The only request was not answered/);
    expect(sections[1]?.blocks).toMatchObject([{ items: [{ value: 1, n: 1 }] }]);
  });

  it.each([
    [2, ["summary"]],
    [3, ["summary", "failed-requests"]],
    [21, ["summary", "failed-requests", "recommendations"]],
  ])("shows the sections for %i failed requests of forty", (failed, ids) => {
    const { sections } = runReport(echo, aRun({ progress: { total: 40, done: 40, failed } }), []);
    expect(sections.map(({ id }) => id)).toEqual(ids);
  });

  it("shows a sample without its judgment as unscored", () => {
    const waiting = aHighlight({ status: "answered", score: null, detail: undefined });
    const [sample] = runReport(echo, aRun(), [waiting]).samples;
    expect(sample?.status).toBe("answered");
    expect(sample?.blocks).toEqual([
      note('HI ho {"status":"unscored","score":null,"detail":null}'),
    ]);
  });

  it("has a note for a sample that the suite no longer accepts", () => {
    const [sample] = runReport(echo, aRun(), [aHighlight({ sample: 5 })]).samples;
    expect(sample?.blocks).toMatchObject([{ kind: "note", title: "Can't be shown" }]);
  });

  it.each(suites.map((suite) => [suite.id, suite] as const))(
    "has a note for an unknown breakdown of the suite %s",
    (_id, suite) => {
      const run = aRun({
        suiteVersion: suite.version,
        options: {},
        breakdown: { tables: "other" },
      });
      const { sections } = runReport(suite, run, []);
      expect(sections[0]?.blocks).toMatchObject([{ kind: "note", title: "An older version" }]);
    },
  );
});
