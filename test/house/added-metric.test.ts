import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import { reportMarkdown } from "../../shared/measures/report/markdown/report-markdown.ts";
import { runReport } from "../../shared/measures/report/run/run-report.ts";
import { aRun } from "../../shared/suites/__fixtures__/a-run.ts";
import { scoredRun } from "../../shared/suites/__fixtures__/scored-run.ts";

/** A copy of `shared`, inside the repository so that its imports resolve. */
const copy = join(root, ".cache/added-metric");

/** A metric and the lines that add it, each after a line that occurs once in its file. */
interface AddedMetric {
  suite: "extraction" | "slots";
  id: string;
  files: Readonly<Record<string, readonly (readonly [after: string, line: string])[]>>;
  /** One sample's contribution to the metric. */
  of(detail: Record<string, number>): number;
}

const added: readonly AddedMetric[] = [
  {
    suite: "extraction",
    id: "textLength",
    files: {
      "metrics.ts": [
        [
          'score("exactMatch", "Exact match", "Outputs that equal the expected one as a whole / samples."),',
          'score("textLength", "Text length", "Code points of the texts / samples."),',
        ],
      ],
      "sum/columns.ts": [
        ["const headlineColumns = [", '"textLength",'],
        ["    samples: 1,", "textLength: detail.inputChars,"],
      ],
      "sum/figures.ts": [
        ["const figureIds = [", '"textLength",'],
        [
          "    into[from + place.eqs] = over(sums[at.eqs]!, samples);",
          "into[from + place.textLength] = over(sums[at.textLength]!, samples);",
        ],
      ],
    },
    of: ({ inputChars = 0 }) => inputChars,
  },
  {
    suite: "slots",
    id: "expectedPerSession",
    files: {
      "metrics.ts": [
        [
          'extra("extraSlots", "Extra slots", "Slots stored and not expected."),',
          'extra("expectedPerSession", "Expected slots", "Expected slots / sessions."),',
        ],
      ],
      "sum/state.ts": [
        [
          "export const runStatistics: Readonly<Record<string, Statistic>> = {",
          "expectedPerSession: (sums) => (sums[at.tp]! + sums[at.fn]!) / sums[at.sessions]!,",
        ],
      ],
    },
    of: ({ tp = 0, fn = 0 }) => tp + fn,
  },
];

beforeAll(() => {
  const isProduct = (path: string) => !/\.test\.ts$|__fixtures__|tsconfig\.json$/.test(path);
  cpSync(join(root, "shared"), copy, { recursive: true, filter: isProduct });
  for (const { suite, files } of added) {
    for (const [name, lines] of Object.entries(files)) {
      const file = join(copy, "suites", suite, name);
      const text = lines.reduce(
        (sum, [after, line]) => {
          expect(sum.split(after), `${name}: ${after}`).toHaveLength(2);
          return sum.replace(after, `${after}\n${line}`);
        },
        readFileSync(file, "utf8"),
      );
      writeFileSync(file, text);
    }
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

it.each(added)(
  "a metric that is added to $suite in at most three files is in catalogue, sums and report",
  async ({ suite: name, id, files, of }) => {
    expect(Object.keys(files).length).toBeLessThanOrEqual(3);
    const path = pathToFileURL(join(copy, "suites", name, "suite.ts")).href;
    const suite: Suite = (await import(path))[name];
    const rows = readFileSync(join(copy, "suites", name, "stock.jsonl"), "utf8");
    const samples = rows.trim().split("\n").slice(0, 12).map(sampleOf(suite));
    const options = suite.optionsSchema.parse({});
    const answered = samples.map((sample) => [sample, { ...emptyAnswer, output: "{}" }] as const);

    const { summary, scored, run } = scoredRun(suite, answered, options);
    const values = scored.map(({ score }) => of(score.detail as Record<string, number>));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(suite.metrics.map((metric) => metric.id)).toContain(id);
    expect(summary.metrics[id]).toMatchObject({ value: mean, n: samples.length });
    const [low, high] = summary.metrics[id]?.interval ?? [mean, mean];
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);

    const { label } = suite.metrics.find((metric) => metric.id === id)!;
    const finished = aRun(suite, { ...summary, ...run });
    expect(reportMarkdown(runReport(suite, finished, []))).toContain(`| ${label} |`);
  },
);

const sampleOf = (suite: Suite) => (line: string) => {
  const checked = suite.checkSample(JSON.parse(line));
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
};
