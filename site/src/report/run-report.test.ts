import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { addPoint, noPoints, pointsOf } from "#shared/measures/performance/run-points.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { aRun } from "#shared/suites/__fixtures__/a-run.ts";
import { examples } from "#shared/suites/__fixtures__/examples.ts";
import { scoredRun } from "#shared/suites/__fixtures__/scored-run.ts";
import { suites } from "#shared/suites/registry.ts";
import { runReportHtml } from "./RunReport.tsx";
import { onSite } from "./shown-run.ts";

const failed: Answer = {
  ...emptyAnswer,
  attempts: 4,
  retries: 3,
  error: { class: "unauthorized", message: "no such key" },
};

const place = {
  ...onSite,
  apiOrigin: "https://api.example",
  sweep: null,
  dataset: null,
  url: null,
};

/** A report on twelve samples of the suite, of which `lost` requests failed and the others have perfect answers. */
function reportOf(suite: Suite, lost: number) {
  const example = examples[suite.id]!;
  const rows = Array.from({ length: 12 }, (_, i) => ({
    ...(example.rows[i % example.rows.length] as object),
    id: `s${i}`,
  }));
  const answered = rows.map((row, i) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    return [sample, i < lost ? failed : example.perfect(sample)] as const;
  });
  const options = suite.optionsSchema.parse({});
  const { summary, scored, run } = scoredRun(suite, answered, options, { wallMs: 2_000 });
  const tally = noPoints();
  for (const { seq, id, score } of scored) {
    const [, answer] = answered[seq]!;
    addPoint(tally, { seq, id, repeat: 0, answer, score }, () => ({ ...suite.features?.(score) }));
  }
  const report = runReport(
    suite,
    aRun(suite, {
      progress: { total: 12, done: 12, failed: lost },
      timeline: run.timeline,
      ...summary,
      points: pointsOf(tally),
    }),
    [],
  );
  return { report, html: runReportHtml({ ...report, place }) };
}

const textOf = (html: string): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

describe.each(suites.map((suite) => [suite.id, suite] as const))(
  "runReportHtml() of a run of %s",
  (_, suite) => {
    it("starts with the cause if nothing was answered, and draws no charts", () => {
      const { html } = reportOf(suite, 12);
      const text = textOf(html);
      const places = [
        "No answers",
        "Nothing was answered.",
        "Why requests failed",
        "How it was run",
      ];
      // The table of contents also names the last one, before it.
      const at = places.map((words, i) => (i < 3 ? text.indexOf(words) : text.lastIndexOf(words)));
      expect(at).toEqual(at.toSorted((a, b) => a - b));
      expect(at[0]).toBeGreaterThan(0);
      expect(text).toContain("no such key");
      expect(text).toContain("12 of 12 requests failed: unauthorized.");
      expect(text).toContain("Check the endpoint&#39;s key");
      for (const drawn of ["<svg", "Primary metrics", "0.000"]) {
        expect(html).not.toContain(drawn);
      }
    });

    it("states at the top that most requests failed, and why", () => {
      const { html, report } = reportOf(suite, 10);
      const text = textOf(html);
      expect(text.indexOf("10 of 12 requests failed.")).toBeGreaterThan(0);
      expect(text.indexOf("10 of 12 requests failed.")).toBeLessThan(text.indexOf("Dataset"));
      expect(text).toContain("shown but not ranked");
      expect(report.sections[1]?.id).toBe("failed-requests");
      expect(html).toContain('<a href="#report-failed-requests">Why requests failed</a>');
      expect(report.sections.at(-1)?.blocks).toMatchObject([
        { items: [{ finding: "10 of 12 requests failed: unauthorized." }] },
      ]);
    });

    it("mentions no failures if every request was answered", () => {
      const { html, report } = reportOf(suite, 0);
      expect(textOf(html)).not.toContain("requests failed.");
      expect(report.sections.map(({ id }) => id)).not.toContain("failed-requests");
      expect(html).toContain("<svg");
    });
  },
);

it("runReportHtml() links losses to the run's own page of samples if it has one, and to nothing if samples are hidden", () => {
  const suite = suites.find(({ id }) => id === "extraction")!;
  const { report } = reportOf(suite, 2);
  const hrefs = (more: object, run: object = {}) => {
    const shown = { ...report, run: { ...report.run, ...run }, place: { ...place, ...more } };
    const losses = /<p class="losses">.*?<\/p>/s.exec(runReportHtml(shown))?.[0] ?? "";
    return [...losses.matchAll(/href="([^?"]*)\?/g)].map(([, path]) => path);
  };
  expect(new Set(hrefs({}))).toEqual(new Set(["/run/samples/"]));
  expect(new Set(hrefs({ samples: "/runs/r/samples/" }))).toEqual(new Set(["/runs/r/samples/"]));
  expect(hrefs({}, { hiddenSamples: true })).toEqual([]);
});

it("runReportHtml() shows a planned test with its verdict and what differs from the plan", () => {
  const suite = suites.find(({ id }) => id === "extraction")!;
  const { report } = reportOf(suite, 0);
  const plannedTest = { metric: suite.headline, margin: 0.02, against: "run_01", samples: 12 };
  const plannedResult = {
    result: {
      base: 0.9,
      tested: 0.8,
      difference: -0.1,
      interval: [-0.15, -0.05] as [number, number],
      samples: 12,
      verdict: "worse" as const,
    },
    note: null,
    changes: ["temperature (0, 0.6)"],
  };
  const run = { ...report.run, options: { plannedTest }, plannedResult };
  const html = runReportHtml({ ...report, run, place });
  const text = textOf(html);
  expect(text).toContain("EQS no worse than run_01 by more than 0.02, on 12 samples of version");
  expect(text).toContain("worse: difference −0.100, 95% interval −0.150 to −0.050, on 12 samples");
  expect(text).toMatch(/Differs from the plan nothing/);
  expect(text).toMatch(/Differs from the other run temperature \(0, 0\.6\)/);
  expect(html).toContain(`runs=run_01%2C${run.id}`);
});
