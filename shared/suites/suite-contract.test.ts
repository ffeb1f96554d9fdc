import { describe, expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../contracts/answer.ts";
import type { ReportBlock } from "../contracts/report.ts";
import type { ScoredSample, Suite } from "../contracts/suite.ts";
import { addPoint, noPoints, pointsOf } from "../measures/performance/run-points.ts";
import { emptyTimeline, timelineOf } from "../measures/performance/timeline.ts";
import { failed, scoredSample, suiteSamples } from "./__fixtures__/suite-samples.ts";
import { suites } from "./registry.ts";

const rubbish = [undefined, null, 1, "text", [], {}, { id: "x" }, { id: {}, text: [], schema: 1 }];

describe.each(suites.map((suite) => [suite.id, suite] as const))("suite %s", (_, suite) => {
  const { malformed, perfect, samples, answers, options } = suiteSamples(suite);
  const run = { runId: "run-1", options, prices: null, wallMs: 1000 };
  const scored = samples.map((sample, seq) =>
    scoredSample(suite, options, sample, answers[seq % answers.length]!, seq),
  );
  const stateOf = (pieces: ScoredSample[]) =>
    pieces.reduce((state, one) => suite.aggregate.add(state, one), suite.aggregate.empty(options));

  test("reports the share of answers with thoughts and the sum of known reasoning tokens", () => {
    const [sample] = samples;
    const answer = perfect(sample);
    const of = [
      { ...answer, output: `<think>Hm.</think>${answer.output ?? ""}`, reasoningTokens: 30 },
      { ...answer, thoughts: "Hm.", reasoningTokens: 12 },
      { ...answer, output: `<think></think>${answer.output ?? ""}`, reasoningTokens: 0 },
      answer,
    ];
    const state = stateOf(of.map((one, seq) => scoredSample(suite, options, sample, one, seq)));
    const summary = suite.aggregate.finish(state, run);
    expect(summary.metrics["thoughtsRate"]).toMatchObject({ value: 0.5, n: 4 });
    expect(summary.metrics["reasoningTokens"]).toMatchObject({ value: 42, n: 3 });
    const report = suite.report(summary, { options, points: null, timeline: null });
    expect(JSON.stringify(report)).toContain("Answers with thoughts");
    expect(JSON.stringify(report)).toContain("Reasoning tokens");
  });

  test("begins each report section with an intro of at most 180 characters", () => {
    const summary = suite.aggregate.finish(stateOf(scored), run);
    const timeline = timelineOf(emptyTimeline(9000));
    for (const { title, intro } of suite.report(summary, { options, points: null, timeline })) {
      expect.soft([title, intro.length > 180 ? intro : ""]).toEqual([title, ""]);
    }
  });

  test("has unique column ids in each report table, because cells are looked up by id", () => {
    const report = suite.report(suite.aggregate.finish(stateOf(scored), run), {
      options,
      points: null,
      timeline: null,
    });
    const tables = report.flatMap(({ blocks }) => blocks).filter((block) => block.kind === "table");
    expect(tables.length).toBeGreaterThan(0);
    for (const { title, columns } of tables) {
      expect
        .soft([title, new Set(columns.map(({ id }) => id)).size])
        .toEqual([title, columns.length]);
    }
  });

  test("states the number of clusters behind the intervals if samples have clusters", () => {
    const textsOf = (pieces: ScoredSample[]) =>
      suite
        .report(suite.aggregate.finish(stateOf(pieces), run), {
          options,
          points: null,
          timeline: null,
        })
        .flatMap(({ blocks }) =>
          blocks.flatMap((block) => (block.kind === "note" ? [block.text] : [])),
        )
        .filter((text) => text.includes("Intervals are based on"));
    const clustered = scored.map((one, i) => ({
      ...one,
      tags: { ...one.tags, cluster: `c${i % 3}` },
    }));
    const single = scored.map(({ tags: { cluster: _, ...tags }, ...one }) => ({ ...one, tags }));
    const count = Math.min(3, scored.length);
    expect(textsOf(clustered)).toEqual([
      expect.stringMatching(new RegExp(`based on ${count} clusters? of samples`)),
    ]);
    expect(textsOf(single)).toEqual([]);
  });

  test("excludes failed requests from latency and token figures", () => {
    const summaryOf = (pieces: ScoredSample[]) => suite.aggregate.finish(stateOf(pieces), run);
    const timed = { latencyMs: 500, firstByteMs: 90, inputTokens: 9, outputTokens: 9 };
    const slow = { latencyMs: 60_000, firstByteMs: 50_000, inputTokens: 9e6, outputTokens: 9e6 };
    const [good, bad] = [perfect(samples[0]), failed].map((answer, seq) =>
      scoredSample(suite, options, samples[0], answer, seq),
    ) as [ScoredSample, ScoredSample];
    const answered = { ...good, call: { ...good.call, ...timed } };
    const both = summaryOf([answered, { ...bad, call: { ...bad.call, ...slow } }]);
    const alone = summaryOf([answered]);
    const ids = Object.keys(alone.metrics).filter((id) =>
      /^(latency|firstByte|gener)|Tokens$/.test(id),
    );
    for (const id of ids) {
      expect([id, both.metrics[id]?.value]).toEqual([id, alone.metrics[id]?.value]);
    }
  });

  test("describes each sample as text without its expected answer", () => {
    for (const sample of samples) {
      const { input, references } = suite.sampleText(sample);
      expect(input).not.toBe("");
      for (const reference of references) expect(input).not.toContain(reference);
    }
  });

  test("reports malformed rows and does not throw", () => {
    for (const row of [...malformed, ...rubbish]) {
      const checked = suite.checkSample(row);
      expect(checked.ok ? "" : checked.error).not.toBe("");
    }
  });

  test("plans every sample, and finishes after finitely many replies", () => {
    const heads = samples.map((sample) => suite.sampleHead(sample));
    const units = suite.plan(heads, options);
    expect([...new Set(units.flatMap((unit) => unit.samples))].sort()).toEqual([...heads.keys()]);
    for (const unit of units) {
      const task = { samples: unit.samples.map((at) => samples[at]), options, repeat: unit.repeat };
      expect(doneWithin(suite, task, 100)).toHaveLength(unit.samples.length);
    }
  });

  test("aggregates the same samples to the same bytes, with and without JSON between steps", () => {
    const inPieces = scored.reduce(
      (state, one) => JSON.parse(JSON.stringify(suite.aggregate.add(state, one))),
      suite.aggregate.empty(options),
    );
    const whole = JSON.stringify(stateOf(scored));
    expect(JSON.stringify(stateOf(scored))).toBe(whole);
    expect(JSON.stringify(inPieces)).toBe(whole);
  });

  test("keeps its state and summary through JSON, and summarizes deterministically", () => {
    const state = stateOf(scored);
    const again = JSON.parse(JSON.stringify(state)) as typeof state;
    const summary = suite.aggregate.finish(state, run);
    expect(JSON.stringify(suite.aggregate.finish(again, run))).toBe(JSON.stringify(summary));
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  });

  test("summarizes every metric of its catalogue; the headline is null without samples", () => {
    const ids = suite.metrics.map((metric) => metric.id);
    const { metrics } = suite.aggregate.finish(stateOf(scored), run);
    expect(ids).toContain(suite.headline);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(metrics).sort()).toEqual([...ids].sort());
    const nothing = suite.aggregate.finish(suite.aggregate.empty(options), run);
    expect(nothing.metrics[suite.headline]?.value).toBeNull();
  });

  test("has deterministic canaries with one answer per sample and valid bounds", () => {
    const canaries = suite.judging?.canaries ?? [];
    const ids = canaries.map((canary) => canary.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { bound, answers: answersOf } of canaries) {
      expect(answersOf(samples)).toHaveLength(samples.length);
      expect(answersOf(samples)).toEqual(answersOf(JSON.parse(JSON.stringify(samples))));
      if (bound !== null && "over" in bound) expect(ids).toContain(bound.over);
    }
  });

  test("has a guide of unique board metrics", () => {
    const advised = (suite.guide ?? []).map(({ metric }) => metric);
    expect(new Set(advised).size).toBe(advised.length);
    expect([suite.headline, ...suite.boardMetrics]).toEqual(expect.arrayContaining(advised));
  });

  test("has the host metrics in its catalogue", () => {
    const ids = suite.metrics.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...(suite.hostMetrics ?? [])]));
  });

  test("offers views of unique catalogue metrics, with unique ids that are valid in URLs", () => {
    const views = suite.views ?? [];
    const known = suite.metrics.map((metric) => metric.id);
    const ids = views.map((view) => view.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const view of views) {
      expect(view.id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(view.purpose).toMatch(/^[A-Z].*[.?]$/);
      expect(view.metrics).not.toEqual([]);
      expect(new Set(view.metrics).size).toBe(view.metrics.length);
      expect(known).toEqual(expect.arrayContaining([...view.metrics]));
    }
  });

  test("returns its headline by tag from its own breakdown, and nothing without a breakdown", () => {
    const { breakdown } = suite.aggregate.finish(stateOf(scored), run);
    const figures = suite.tagFigures?.(JSON.parse(JSON.stringify(breakdown)), suite.headline) ?? [];
    const names = figures.map(({ tag, name }) => JSON.stringify([tag, name]));
    expect(new Set(names).size).toBe(names.length);
    for (const { n, headline } of figures) {
      expect(n).toBeGreaterThan(0);
      expect(headline.value).toBeGreaterThanOrEqual(headline.interval?.[0] ?? 0);
      expect(headline.value).toBeLessThanOrEqual(headline.interval?.[1] ?? 1);
    }
    for (const nothing of [null, undefined, {}, []]) {
      expect(suite.tagFigures?.(nothing, suite.headline) ?? []).toEqual([]);
    }
  });

  test("counts a failed request as 0 and not covered", () => {
    const half = stateOf([
      scoredSample(suite, options, samples[0], perfect(samples[0]), 0),
      scoredSample(suite, options, samples[1], failed, 1),
    ]);
    const headline = suite.aggregate.finish(half, run).metrics[suite.headline];
    expect(headline).toMatchObject({ coverage: 0.5, n: 2 });
    // Not every part of a composite is halved: a failed request has no latency.
    if (suite.composites?.[suite.headline]) expect(headline?.value).toBeLessThan(1);
    else expect(headline?.value).toBe(0.5);
  });

  test("has sample values whose shares add up to the metrics of the summary", () => {
    const { metrics } = suite.aggregate.finish(stateOf(scored), run);
    const values = scored.map(({ score }) => suite.sampleValues(score));
    const compared = Object.keys(values[0] ?? {});
    expect(compared[0]).toBe(suite.headline);
    const figureOf = (id: string): number | null => {
      const composite = suite.composites?.[id];
      if (composite) return composite.value(composite.parts.map(figureOf));
      const shares = values.flatMap((value) => {
        const share = value[id] ?? null;
        return share === null ? [] : [typeof share === "number" ? { of: share, over: 1 } : share];
      });
      const total = (side: "of" | "over") => shares.reduce((sum, share) => sum + share[side], 0);
      return total("over") === 0 ? null : total("of") / total("over");
    };
    for (const id of compared.filter((one) => metrics[one] !== undefined)) {
      const wanted = metrics[id]?.value ?? null;
      expect([id, figureOf(id)]).toEqual([id, wanted === null ? null : expect.closeTo(wanted, 9)]);
    }
  });

  test("reports any run as plain data, from summary to recommendations", () => {
    const tally = noPoints();
    for (const { seq, id: sampleId, score, call } of scored) {
      const answer = { ...call, refusal: null };
      const features = () => ({ ...suite.features?.(score) });
      addPoint(tally, { seq, id: sampleId, repeat: 0, answer, score }, features);
    }
    const { headline } = suite;
    const timeline = timelineOf(emptyTimeline(9000));
    const known = { options, headline, points: pointsOf(tally), timeline };
    for (const reported of [known, { options, headline, points: null, timeline: null }]) {
      for (const state of [stateOf(scored), suite.aggregate.empty(options)]) {
        const sections = suite.report(suite.aggregate.finish(state, run), reported);
        expect(JSON.parse(JSON.stringify(sections))).toEqual(sections);
        const ids = sections.map((section) => section.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids[0]).toBe("summary");
        if (suite.isDescriptive) expect(ids).not.toContain("recommendations");
        else expect(ids.at(-1)).toBe("recommendations");
        if (!suite.isDescriptive) expectSummary(sections[0]!.blocks);
      }
    }
  });

  test("refuses an unknown option", () => {
    expect(suite.optionsSchema.safeParse({ noSuchOption: 1 }).success).toBe(false);
  });
});

/** Checks the blocks of an executive summary; the runs are too small for a recommendation. */
function expectSummary(blocks: readonly ReportBlock[]): void {
  const kinds = blocks.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["gauge", "radar"]));
  expect(blocks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "table", title: "At a glance", brief: true }),
      expect.objectContaining({
        kind: "note",
        title: "Recommendation",
        tone: "neutral",
        text: expect.stringMatching(/a recommendation needs|nothing to recommend/),
      }),
      expect.objectContaining({ title: expect.stringMatching(/^Strengths/) }),
    ]),
  );
}

function doneWithin(suite: Suite, task: Parameters<Suite["next"]>[0], replies: number): Answer[] {
  const given: Answer[] = [];
  while (given.length <= replies) {
    const step = suite.next(task, given);
    if (step.kind === "done") return step.answers;
    given.push({ ...emptyAnswer, output: "{}" });
  }
  throw new Error(`${suite.id} was not done after ${replies} replies`);
}
