import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import { unjudgedReasons } from "#shared/contracts/judging/judgment.ts";
import { type ReportBlock, type Tone, tones } from "#shared/contracts/report.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { unjudgedSection } from "#shared/measures/judging/unjudged-section.ts";
import { blocksOf } from "#shared/measures/report/charts/blocks.ts";
import { examples } from "#shared/suites/__fixtures__/examples.ts";
import { scoredRun } from "#shared/suites/__fixtures__/scored-run.ts";
import { suites } from "#shared/suites/registry.ts";
import { failureSection } from "#shared/suites/tools/report/call-section.ts";
import { failureClasses } from "#shared/suites/tools/score/failures.ts";
import { colourDistance, visions } from "./__fixtures__/colour-distance.ts";
import { metricHues } from "./grouped-bars.ts";
import { toneClass, toneHues } from "./parts/tone.ts";

const css = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");
const marks = readFileSync(new URL("../styles/marks.css", import.meta.url), "utf8");

const colours = [...css.matchAll(/--(hue-\d): light-dark\((#\w+), (#\w+)\);/g)];
const schemes = {
  light: new Map(colours.map(([, name, light]) => [name, light])),
  dark: new Map(colours.map(([, name, , dark]) => [name, dark])),
};

/** Pairs of colours that must be distinguishable, and the minimum distance between them. */
const leastDistance = 22;
const hues = Array.from({ length: 10 }, (_, i) => `hue-${i}`);
const pairs = hues.flatMap((a, i) => hues.slice(i + 1).map((b) => [a, b] as const));

describe.each(Object.entries(schemes))("colours of categories, %s", (_, scheme) => {
  it.each(visions)("are distinguishable with %s vision", (vision) => {
    const close = pairs.filter(
      ([a, b]) => colourDistance(scheme.get(a)!, scheme.get(b)!, vision) < leastDistance,
    );
    expect(close).toEqual([]);
  });
});

it("every category has a colour, and a class for chart keys", () => {
  expect(tones.filter((tone) => !hues.includes(`hue-${toneHues[tone]}`))).toEqual([]);
  expect(tones.filter((tone) => !marks.includes(`.${toneClass(tone)} {`))).toEqual([]);
});

it('metrics next to each other have different colours, and none has the colour for "right"', () => {
  expect(new Set(metricHues).size).toBe(6);
  expect(metricHues).not.toContain(toneHues.right);
});

/** The names and tones that a chart distinguishes by colour. */
function categoriesOf(block: ReportBlock): { label: string; tone: Tone }[] {
  switch (block.kind) {
    case "gauge":
      return block.zones;
    case "stack":
      return block.parts;
    case "tree":
      return block.groups;
    case "series":
      return block.series;
    case "bars":
    case "scatter":
      return block.legend;
    case "text":
      return block.marks;
    case "line":
      return block.marks;
    case "fields":
      return block.rows.map(({ verdict, tone }) => ({ label: verdict, tone }));
    default:
      return [];
  }
}

/** Names in one chart that have the same colour. */
function clashes(block: ReportBlock): string[] {
  const byHue = Map.groupBy(categoriesOf(block), ({ tone }) => toneHues[tone]);
  return [...byHue.values()]
    .map((categories) => [...new Set(categories.map(({ label }) => label))].sort())
    .filter((labels) => labels.length > 1)
    .map((labels) => `${block.title}: ${labels.join(", ")}`);
}

/** Colours of bars and points that are missing from the chart's key. */
function unnamed(block: ReportBlock): string[] {
  if (block.kind !== "bars" && block.kind !== "scatter") return [];
  const used = new Set((block.kind === "bars" ? block.bars : block.points).map(({ tone }) => tone));
  used.delete("neutral");
  const named = new Set(block.legend.map(({ tone }) => tone));
  const missing = [...used].filter((tone) => !named.has(tone));
  return used.size < 2 && block.legend.length === 0
    ? []
    : missing.map((tone) => `${block.title}: ${tone}`);
}

function suiteBlocks(suite: Suite): ReportBlock[] {
  const { rows, perfect } = examples[suite.id]!;
  const options = suite.optionsSchema.parse({});
  const samples = rows.map((row) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    return checked.value.sample;
  });
  const answers = [
    (sample: unknown) => ({ ...perfect(sample), latencyMs: 100 }),
    () => ({ ...emptyAnswer, output: "{", latencyMs: 200 }),
    () => ({ ...emptyAnswer, refusal: "I can't.", latencyMs: 300 }),
    () => ({ ...emptyAnswer, error: { class: "timeout" as const, message: "none" } }),
  ];
  const answered = Array.from({ length: 40 }, (_, i) => {
    const sample = samples[i % samples.length];
    return [sample, answers[Math.floor(i / samples.length) % answers.length]!(sample)] as const;
  });
  const { summary, scored, run } = scoredRun(suite, answered, options);
  const shown = answered.flatMap(([sample, answer], i) =>
    suite.showSample({ sample, answer, score: scored[i]!.score }),
  );
  return [...suite.report(summary, run).flatMap(({ blocks }) => blocks), ...shown];
}

const everyFailure = Object.fromEntries(failureClasses.map((id) => [id, 1]));
const rare: ReportBlock[] = blocksOf([
  failureSection({
    breakdown: {
      functions: [{ name: "f", failures: everyFailure }],
      failures: everyFailure,
      counts: {},
    },
  } as unknown as Parameters<typeof failureSection>[0]).blocks,
  unjudgedSection(
    {
      metrics: {},
      breakdown: {
        answers: 9,
        unjudged: unjudgedReasons.map((reason) => ({ metric: "m", reason, count: 1, share: 0.1 })),
      },
    },
    (metric) => metric,
  ).blocks,
]);

const bySuite: [id: string, blocks: ReportBlock[]][] = [
  ...suites.map((suite): [string, ReportBlock[]] => [suite.id, suiteBlocks(suite)]),
  ["a run with every failure", rare],
];

describe.each(bySuite)("charts of %s", (_, blocks) => {
  it("never use one colour for two categories", () => {
    expect(blocks.flatMap(clashes)).toEqual([]);
  });

  it("explain every colour of bars and points in a key", () => {
    expect(blocks.flatMap(unnamed)).toEqual([]);
  });
});

it("a category has the same colour in every chart of every suite", () => {
  const all = bySuite.flatMap(([, blocks]) => blocks.flatMap(categoriesOf));
  const tonesOf = Map.groupBy(all, ({ label }) => label.toLowerCase());
  const mixed = [...tonesOf].filter(
    ([, categories]) => new Set(categories.map(({ tone }) => toneHues[tone])).size > 1,
  );
  expect(mixed.map(([label]) => label)).toEqual([]);
});
