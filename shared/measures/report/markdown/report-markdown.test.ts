import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import type { Run } from "../../../contracts/run.ts";
import type { Suite } from "../../../contracts/suite.ts";
import { aRun } from "../../../suites/__fixtures__/a-run.ts";
import { examples } from "../../../suites/__fixtures__/examples.ts";
import { scoredRun } from "../../../suites/__fixtures__/scored-run.ts";
import { suites } from "../../../suites/registry.ts";
import { figureText } from "../figures/figure-text.ts";
import { runReport } from "../run/run-report.ts";
import { blockMarkdown } from "./block-markdown.ts";
import { fencedText, markdownText } from "./markdown-text.ts";
import { reportMarkdown } from "./report-markdown.ts";

function reportOf(suite: Suite, more: Partial<Run> = {}) {
  const example = examples[suite.id]!;
  const answered = example.rows.map((row, i) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    return [sample, i === 1 ? emptyAnswer : example.perfect(sample)] as const;
  });
  const options = suite.optionsSchema.parse({});
  const { summary, run } = scoredRun(suite, answered, options, { wallMs: 2_000 });
  const { points, timeline } = run;
  const whole = aRun(suite, { ...summary, points, timeline, ...more });
  const [sample, answer] = answered[1]!;
  const { score, ...earned } = suite.score(sample, answer, options);
  const row = {
    seq: 1,
    id: "odd|one",
    status: earned.status,
    covered: true,
    score,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    requests: 1,
    attempts: 1,
    queueWaitMs: null,
    retryWaitMs: null,
    errorClass: null,
  };
  const result = { ...row, sample: example.rows[1], answer, detail: earned.detail };
  const highlight = { kind: "worst" as const, reason: "", repeat: 0, result };
  return runReport(suite, whole, [highlight]);
}

/** Cells of a table line; an escaped pipe is text. */
const cellsIn = (line: string): number => line.replaceAll(/\\./g, "").split("|").length - 2;

/** Lines outside fenced blocks. */
function plainLines(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split("\n").filter((line) => {
    const [ticks] = /^`{3,}/.exec(line) ?? [];
    if (fence !== null) {
      if (line === fence) fence = null;
      return false;
    }
    if (ticks !== undefined) fence = ticks;
    return ticks === undefined;
  });
}

describe.each(suites.map((suite) => [suite.id, suite] as const))(
  "reportMarkdown() of %s",
  (_, suite) => {
    const report = reportOf(suite);
    const markdown = reportMarkdown(report);
    const lines = plainLines(markdown);

    it("has every section, every block and every metric with a value", () => {
      for (const { title, blocks } of report.sections) {
        expect(lines).toContain(`## ${markdownText(title)}`);
        for (const block of blocks) expect(lines).toContain(`### ${markdownText(block.title)}`);
      }
      for (const { id, label, format } of suite.metrics) {
        const value = report.run.metrics?.[id]?.value ?? null;
        if (value === null) continue;
        const start = `| ${markdownText(label)} | ${figureText(value, format)} |`;
        expect(lines.filter((line) => line.startsWith(start))).not.toEqual([]);
      }
    });

    it("has tables whose rows have as many cells as the header", () => {
      let head: number | null = null;
      for (const line of lines) {
        if (!line.startsWith("|")) {
          head = null;
          continue;
        }
        head ??= cellsIn(line);
        expect([line, cellsIn(line)]).toEqual([line, head]);
      }
    });

    it("ends with recommendations, after the picked samples", () => {
      const at = (line: string) => lines.findIndex((one) => one.startsWith(line));
      expect(at("### odd\\|one: ")).toBeGreaterThan(at("## Samples"));
      if (report.sections.some(({ id }) => id === "recommendations")) {
        expect(at("## Recommendations")).toBeGreaterThan(at("## Samples"));
      }
    });
  },
);

it("reportMarkdown() of a run without results shows its status", () => {
  const report = reportOf(suites[0]!, { status: "running", metrics: null, breakdown: null });
  const markdown = reportMarkdown({ ...report, samples: [] });
  expect(markdown).toContain("> The run is running: it has no scores.");
  expect(markdown).not.toContain("## Metrics");
});

it("reportMarkdown() shows the requested model and the models that answered", () => {
  const report = reportOf(suites[0]!);
  const served = [
    { model: "m|2026-05-01", answers: 1_200 },
    { model: null, answers: 3 },
  ];
  const model = { ...report.run.model, asked: ["m", "cloud-m"], served };
  const lines = reportMarkdown({ ...report, run: { ...report.run, model } }).split("\n");
  expect(lines).toContain("| Model id | m, cloud-m |");
  expect(lines).toContain("| Answered by | m\\|2026-05-01 (1,200), others (3) |");
  expect(reportMarkdown(report)).not.toMatch(/Model id|Answered by/);
});

it("reportMarkdown() escapes markup in names", () => {
  const name = "<script>x</script> [a](http://evil.example) `|\n# b";
  const report = reportOf(suites[0]!);
  const run = { ...report.run, model: { ...report.run.model, name, slug: name } };
  const markdown = reportMarkdown({ ...report, run });
  expect(markdown).not.toMatch(/(?<!\\)[<[]script|(?<!\\)\[a|http:\/\/evil|^# b/m);
  expect(markdown).toContain(
    "# \\<script\\>x\\</script\\> \\[a\\](http:\u200b//evil.example) \\`\\| \\# b",
  );
});

describe("markdownText()", () => {
  it.each([
    ["- a", "\\- a"],
    ["1. a", "1\\. a"],
    ["a\n\n---", "a ---"],
    ["a & &lt;", "a &amp; &amp;lt;"],
    ["snake_case*", "snake\\_case\\*"],
    ["www.example.com", "www.\u200bexample.com"],
    ["−5", "−5"],
  ])("of %j is %j", (text, markdown) => expect(markdownText(text)).toBe(markdown));
});

it("fencedText() uses a fence that does not occur in the text", () => {
  expect(fencedText("a\n````\nb")).toBe("`````\na\n````\nb\n`````");
});

const legend: [] = [];
const x = { label: "Latency", format: "ms" } as const;
const y = { label: "Score", format: "score" } as const;

describe("blockMarkdown()", () => {
  it.each<[ReportBlock, string[]]>([
    [
      {
        kind: "gauge",
        title: "t",
        value: 0.5,
        interval: [0.4, 0.6],
        min: 0,
        max: 1,
        format: "score",
        zones: [{ from: 0, to: 1, label: "Fair", tone: "fair" }],
      },
      ["| 0.500 | 0.400–0.600 | Fair |", "Zones: Fair 0–1."],
    ],
    [
      {
        kind: "stack",
        title: "t",
        unit: "answers",
        parts: [{ label: "read", count: 3, tone: "read", definition: "as JSON" }],
      },
      ["| read | 3 | 100.0% | as JSON |"],
    ],
    [
      {
        kind: "bars",
        title: "t",
        format: "percent",
        legend,
        below: "Few.",
        bars: [{ label: "a", value: null, interval: null, n: 2, tone: "neutral" }],
      },
      ["| a | – | – | 2 |", "Few."],
    ],
    [
      {
        kind: "line",
        title: "t",
        x: y,
        y,
        points: [{ x: 0, y: 1 }],
        marks: [{ x: 0.5, y: 1, label: "best", tone: "neutral" }],
      },
      ["| 0.000 | 1.000 |", "best: 1.000 at 0.500."],
    ],
    [
      { kind: "radar", title: "t", axes: [{ label: "a", value: 0.5, interval: [0, 1] }] },
      ["| a | 0.500 | 0.000–1.000 |"],
    ],
    [
      {
        kind: "scatter",
        title: "t",
        x: { ...x, scale: "log" },
        y,
        legend,
        points: Array.from({ length: 41 }, (_, i) => ({
          x: i,
          y: 0,
          label: `s${i}`,
          tone: "neutral" as const,
        })),
      },
      ["| s39 | 39\u202fms | 0.000 |", "1 more dot is not shown."],
    ],
    [
      {
        kind: "histogram",
        title: "t",
        x: { ...x, scale: "linear" },
        unit: "answers",
        bins: [
          { from: 0, to: 10, count: 0 },
          { from: 10, to: 20, count: 4 },
        ],
        lines: [{ x: 12, label: "median" }],
      },
      ["| 10\u202fms | 20\u202fms | 4 |", "median: 12\u202fms."],
    ],
    [
      {
        kind: "matrix",
        title: "t",
        format: "score",
        scale: "own",
        cells: [[0.5, null]],
        rows: { label: "r", names: ["a"] },
        columns: { label: "c", names: ["b", "c"] },
      },
      ["| r | b | c |", "| a | 0.500 | – |"],
    ],
    [
      {
        kind: "boxes",
        title: "t",
        y,
        groups: [{ label: "a", n: 5, min: 0, q1: 0.25, median: 0.5, q3: 0.75, max: 1 }],
      },
      ["| a | 0.000 | 0.250 | 0.500 | 0.750 | 1.000 | 5 |"],
    ],
    [
      {
        kind: "tree",
        title: "t",
        unit: "errors",
        groups: [{ label: "g", tone: "wrong", parts: [{ label: "p", count: 2 }] }],
      },
      ["| p | g | 2 | 100.0% |"],
    ],
    [
      {
        kind: "series",
        title: "t",
        x,
        y,
        series: [{ label: "s", tone: "neutral", points: [{ x: 1, y: null }] }],
      },
      ["| Latency | s |", "| 1\u202fms | – |"],
    ],
    [
      {
        kind: "fields",
        title: "t",
        left: 2,
        rows: [
          {
            path: "a[0]",
            expected: "1",
            answer: null,
            verdict: "missed",
            tone: "missed",
            note: null,
          },
        ],
      },
      ["| a\\[0\\] | 1 | – | missed |  |", "2 more fields are not shown."],
    ],
    [
      { kind: "text", title: "t", text: "# not a title", marks: [], left: 7, isCode: false },
      ["# not a title", "7 more characters are not shown."],
    ],
    [
      {
        kind: "advice",
        title: "t",
        items: [
          {
            tone: "poor",
            finding: "Much fails.",
            cell: "Failed",
            value: 0.5,
            n: 9,
            format: "percent",
            interval: [0.4, 0.6],
            change: "mode",
            action: "Try JSON.",
          },
        ],
      },
      [
        "1. **Much fails.** Output mode: Try JSON. Based on: Failed 50.0%, 95% interval 40.0–60.0%, n = 9.",
      ],
    ],
    [{ kind: "table", title: "t", columns: [], rows: [] }, ["Nothing to show."]],
  ])("of %j contains its figures", (block, expected) => {
    const lines = blockMarkdown(block, 3).join("\n").split("\n");
    expect(lines).toEqual(expect.arrayContaining(["### t", ...expected]));
  });
});
