import { z } from "zod";
import type { Suite } from "#shared/contracts/suite.ts";
import type { UsableSample } from "../score/read-samples.ts";

const spreadSchema = z.object({
  least: z.number(),
  median: z.number(),
  mean: z.number(),
  most: z.number(),
});
/** Distribution of numbers. */
export type Spread = z.infer<typeof spreadSchema>;

const spreadsSchema = z.record(z.string(), spreadSchema);
const countsSchema = z.record(z.string(), z.record(z.string(), z.int()));

/** Statistics of the samples of a dataset. */
export const datasetFiguresSchema = z.object({
  fields: z.record(z.string(), z.int()).meta({ description: "samples that have each field" }),
  tags: countsSchema.meta({ description: "samples by tag and its value" }),
  textLengths: spreadsSchema.meta({
    description: "characters of each text field, over the samples that have it",
  }),
  figures: spreadsSchema.meta({ description: "the suite's figures of its samples" }),
  kinds: countsSchema.meta({ description: "the suite's other values, counted" }),
});
export type DatasetFigures = z.infer<typeof datasetFiguresSchema>;

/** Collects statistics sample by sample. */
export class FigureTally {
  readonly #suite: Suite;
  readonly #fields = new Map<string, number>();
  readonly #tags = new Map<string, Map<string, number>>();
  readonly #lengths = new Map<string, number[]>();
  readonly #figures = new Map<string, number[]>();
  readonly #kinds = new Map<string, Map<string, number>>();

  constructor(suite: Suite) {
    this.#suite = suite;
  }

  add({ sample, head, row }: UsableSample): void {
    for (const [name, value] of Object.entries(row as object)) {
      count(this.#fields, name);
      if (typeof value === "string" && name !== "id") entry(this.#lengths, name).push(value.length);
    }
    for (const [name, value] of Object.entries(head.tags)) count(kindsOf(this.#tags, name), value);
    for (const [name, value] of Object.entries(this.#suite.sampleFigures?.(sample) ?? {})) {
      if (typeof value === "number") entry(this.#figures, name).push(value);
      else count(kindsOf(this.#kinds, name), value);
    }
  }

  finish(): DatasetFigures {
    return {
      fields: Object.fromEntries(this.#fields),
      tags: counts(this.#tags),
      textLengths: spreads(this.#lengths),
      figures: spreads(this.#figures),
      kinds: counts(this.#kinds),
    };
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Counts, the most frequent first. */
function counts(all: Map<string, Map<string, number>>): Record<string, Record<string, number>> {
  const sorted = (kinds: Map<string, number>) =>
    Object.fromEntries([...kinds].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  return Object.fromEntries([...all].map(([name, kinds]) => [name, sorted(kinds)]));
}

function entry(lists: Map<string, number[]>, key: string): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function kindsOf(all: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const kinds = all.get(key) ?? new Map<string, number>();
  all.set(key, kinds);
  return kinds;
}

function spreads(lists: Map<string, number[]>): Record<string, Spread> {
  return Object.fromEntries([...lists].map(([name, values]) => [name, spreadOf(values)]));
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2)];
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    least: sorted[0]!,
    median: (sorted[low]! + sorted[high]!) / 2,
    mean: sum / sorted.length,
    most: sorted.at(-1)!,
  };
}
