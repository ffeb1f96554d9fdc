import type { BarsBlock, MatrixBlock, NoteBlock, TableBlock } from "../../../contracts/report.ts";
import {
  asBrief,
  asFolded,
  cutTable,
  metricNamed,
  note,
  noteIf,
  type SectionParts,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps, stepsLegend, toneOf } from "../../../measures/report/charts/tone-steps.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { barsOfParts, fewestSamples } from "../../../measures/report/figures/part-interval.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsBreakdown } from "../sum/breakdown.ts";
import { askedTopics, type Part, partValue, type ReportFacts } from "./report-facts.ts";

/** Maximum topics in a chart: as many as a reader can scan. */
const mostTopics = 15;

const shares = ["f1", "precision", "recall", "valueF1", "exactMatchCoverage", "tokenF1", "bleu1"];
const labelOf = (id: string) => metricNamed(slotsMetrics, id).label;

/**
 * Topics from the easiest to the hardest, by each metric, and where extra slots are stored.
 * Source: docs/spec/slots.md, notes on every report.
 * @example topicSection(facts).id // "topics"
 */
export function topicSection({ breakdown }: ReportFacts): SectionParts {
  const asked = askedTopics(breakdown);
  const madeUp = breakdown.topics.length - asked.length;
  const invented =
    madeUp === 0 ? "" : `The model invented ${madeUp} more; all their slots count as extra.`;
  return {
    id: "topics",
    title: "By topic",
    intro: `${asked.length} topics from the easiest to the hardest.`,
    blocks: [
      f1Bars(asked),
      asBrief(extremes(asked)),
      heatMap(asked),
      extraBars(breakdown.topics),
      asFolded(countTable(breakdown.topics)),
      crowdNote(breakdown.crowded),
      noteIf("Invented topics", invented),
    ],
  };
}

function f1Bars(topics: readonly Part[]): BarsBlock {
  return barsOfParts({
    kind: "bars",
    title: "F1 by topic",
    format: "score",
    legend: stepsLegend(shareSteps, "score"),
    bars: topics.slice(0, mostTopics).map((topic) => {
      const { value = null, interval = null } = topic.figures["f1"] ?? {};
      return { label: topic.name, value, interval, n: topic.n, tone: toneOf(value, shareSteps) };
    }),
  });
}

function extremes(asked: readonly Part[]): NoteBlock | null {
  const [easiest, hardest] = [asked[0], asked.at(-1)];
  if (!easiest || !hardest || easiest === hardest) return null;
  const named = (topic: Part) =>
    `${topic.name} (F1 ${figureText(partValue(topic, "f1") ?? 0, "score")}, n = ${topic.n})`;
  const isFew = Math.min(easiest.n, hardest.n) < fewestSamples;
  const chance = isFew ? ` With fewer than ${fewestSamples} samples, this may be chance.` : "";
  const text = `Easiest: ${named(easiest)}. Hardest: ${named(hardest)}.${chance}`;
  return note("Easiest and hardest", text);
}

function heatMap(topics: readonly Part[]): MatrixBlock {
  const shown = topics.slice(0, mostTopics);
  return {
    kind: "matrix",
    title: "Topics by metric",
    format: "score",
    scale: "share",
    rows: { label: "Topic", names: shown.map(({ name }) => name) },
    columns: { label: "Metric", names: shares.map(labelOf) },
    cells: shown.map((topic) => shares.map((id) => partValue(topic, id))),
  };
}

function extraBars(topics: readonly Part[]): BarsBlock | null {
  const withExtra = topics
    .filter((topic) => (partValue(topic, "extraSlots") ?? 0) > 0)
    .sort((a, b) => partValue(b, "extraSlots")! - partValue(a, "extraSlots")!);
  if (withExtra.length === 0) return null;
  return barsOfParts({
    kind: "bars",
    title: "Extra slots by topic",
    format: "count",
    legend: [],
    bars: withExtra.slice(0, mostTopics).map(({ name, n, figures }) => {
      const { value = null, interval = null } = figures["extraSlots"] ?? {};
      return { label: name, value, interval, n, tone: "extra" };
    }),
  });
}

function countTable(topics: readonly Part[]): TableBlock {
  const table = cutTable(
    "Slots by topic",
    [
      ["name", "Topic", "text"],
      ["exact", "Right value", "count"],
      ["other", "Other value", "count"],
      ["missed", "Missed", "count"],
      ["extra", "Extra slots", "count"],
      ["values", "Extra values", "count", (topic) => partValue(topic, "extraValues")],
      ["n", "Sessions", "count"],
    ],
    topics.map((topic) => ({ ...topic, ...topicOutcomes(topic) })),
    mostTopics,
  );
  return withSamples([table], topics, ({ name }) => ({ path: `${name}.*`, verdict: "wrong" }))[0];
}

function crowdNote(crowded: ReportFacts["breakdown"]["crowded"]): NoteBlock | null {
  const crowd = crowded.find(({ family }) => family === "topic" || family === null);
  if (crowd === undefined) return null;
  const what = crowd.family === null ? "groups of answers" : "topics";
  const text = `There are more than ${crowd.moreThan} ${what}; the others are part of the run's figures, but have no rows here.`;
  return note("Not all are listed", text);
}

/** Outcomes of expected and extra slots. */
export interface SlotOutcomes {
  exact: number;
  /** Stored with other values than expected. */
  other: number;
  missed: number;
  extra: number;
}

/**
 * Counts of outcomes of a topic's slots, from its rates, which are shares of the expected slots.
 * @example topicOutcomes(topic).missed // expected slots of which nothing is stored
 */
export function topicOutcomes(topic: Part): SlotOutcomes {
  const expected = Math.round(partValue(topic, "expectedSlots") ?? 0);
  const stored = Math.round((partValue(topic, "recall") ?? 0) * expected);
  const exact = Math.round((partValue(topic, "exactMatchCoverage") ?? 0) * expected);
  const extra = partValue(topic, "extraSlots") ?? 0;
  return { exact, other: stored - exact, missed: expected - stored, extra };
}

/**
 * Outcomes of the slots of all topics that are counted separately.
 * @example slotOutcomes(breakdown).exact
 */
export function slotOutcomes({ topics }: Pick<SlotsBreakdown, "topics">): SlotOutcomes {
  const sum: SlotOutcomes = { exact: 0, other: 0, missed: 0, extra: 0 };
  for (const topic of topics) {
    const its = topicOutcomes(topic);
    for (const name of Object.keys(sum) as (keyof SlotOutcomes)[]) sum[name] += its[name];
  }
  return sum;
}
