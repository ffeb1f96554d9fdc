import { fewestSamples } from "../../../../measures/report/figures/part-interval.ts";
import type { Interval } from "../../../../stats/bootstrap/bootstrap.ts";
import { leftOut } from "../../../../stats/sums/bounded.ts";
import {
  countFrom,
  histogram,
  spreadMean,
  spreadMedian,
  type UnitSpread,
} from "../../../../stats/sums/unit-spread.ts";
import { fieldCounts, fieldRates, type Tally } from "../../score/tally.ts";
import type { ExtractionState } from "../state.ts";
import type { CellFigures, FieldsBreakdown } from "./breakdown-parts.ts";
import { type CellName, crowdsIn, type FieldCell, namesOf, pathRules } from "./field-tables.ts";

/** Maximum parts with an interval, the most frequent first, so that the cost is limited for a run of any size. */
const mostIntervals = 500;

/** Minimum samples of a listed name path. */
const fewestForPath = 3;

/** A part of a run's fields with its place in the breakdown. */
export interface NamedCell {
  place: "byType" | "byDepth" | "byRequired" | "byComplexity" | "byPath";
  name: string;
  cell: FieldCell;
  n: number;
}

const fixedCells: readonly [NamedCell["place"], CellName, name: string][] = [
  ...(["string", "number", "boolean", "array", "object"] as const).map(
    (name): [NamedCell["place"], CellName, string] => ["byType", name, name],
  ),
  ["byDepth", "depth0", "0"],
  ["byDepth", "depth1", "1"],
  ["byDepth", "depth2", "2+"],
  ["byRequired", "required", "required"],
  ["byRequired", "optional", "optional"],
  ["byComplexity", "simple", "simple"],
  ["byComplexity", "medium", "medium"],
  ["byComplexity", "complex", "complex"],
];

/**
 * The parts of a run that have fields; name paths only in three samples or more, if the run has as many. A sample has
 * `repeats` answers.
 * Source: docs/spec/extraction.md, section 7.
 * @example namedCells(state, 1, 100)[0]?.name // "string"
 */
export function namedCells(state: ExtractionState, repeats: number, samples: number): NamedCell[] {
  const { cells, paths } = state.fields;
  const fewest = samples < fewestForPath ? 1 : fewestForPath;
  const samplesOf = (cell: FieldCell) => Math.ceil(cell.answers / repeats);
  return [
    ...fixedCells.map(([place, id, name]) => ({ place, name, cell: cells[id] })),
    ...namesOf(paths, pathRules).map(([name, cell]) => ({
      place: "byPath" as const,
      name,
      cell,
    })),
  ]
    .map((one) => ({ ...one, n: samplesOf(one.cell) }))
    .filter(({ place, n }) => n >= (place === "byPath" ? fewest : 1));
}

/**
 * The parts that get an interval: those in 20 samples or more, the most frequent 500.
 * @example withInterval(cells).length
 */
export function withInterval(cells: readonly NamedCell[]): NamedCell[] {
  return cells
    .filter(({ n }) => n >= fewestSamples)
    .sort((a, b) => b.n - a.n)
    .slice(0, mostIntervals);
}

/**
 * The fields of a run by part, by category and by expected and predicted type, and the similarity of strings.
 * Source: docs/spec/extraction.md, sections 4 and 7.
 * @example fieldsBreakdown(state, cells, intervals, 0.85).byType[0]
 */
export function fieldsBreakdown(
  { tallies, fields }: ExtractionState,
  cells: readonly NamedCell[],
  intervals: ReadonlyMap<NamedCell, Interval | null>,
  fuzzyThreshold: number,
): FieldsBreakdown {
  const overall = fieldRates(tallies.fields).partialF1;
  const at = (place: NamedCell["place"]) =>
    cells
      .filter((one) => one.place === place)
      .map((one) => cellFigures(one, intervals.get(one) ?? null, overall));
  const { levenshtein } = fields.similarity;
  const fuzzy = countFrom(levenshtein, fuzzyThreshold);
  return {
    byType: at("byType"),
    byDepth: at("byDepth"),
    byRequired: at("byRequired"),
    byComplexity: at("byComplexity"),
    byPath: at("byPath"),
    ...pathsBeyond(fields, cells),
    typeConfusion: tallies.confusion,
    categoryShares: categoryShares(tallies.fields),
    compositeBins: tallies.composites,
    similarity: {
      tokenF1: similarityOf(fields.similarity.tokenF1),
      levenshtein: similarityOf(levenshtein),
      containment: similarityOf(fields.similarity.containment),
    },
    matchedStrings: levenshtein.n,
    fuzzy: {
      threshold: fuzzyThreshold,
      count: fuzzy,
      rate: levenshtein.n === 0 ? null : fuzzy / levenshtein.n,
    },
    leftOut: tallies.fieldsLeftOut,
  };
}

/** Fields whose path is not listed: grouped names, too rare, or beyond the limit. */
function pathsBeyond(
  { paths, counted }: ExtractionState["fields"],
  cells: readonly NamedCell[],
): Pick<FieldsBreakdown, "crowds" | "pathsLeft"> {
  const crowds = crowdsIn(paths);
  const names = namesOf(paths, pathRules).map(([, cell]) => cell);
  const listed = cells.filter(({ place }) => place === "byPath").map(({ cell }) => cell);
  const known = fieldsOf(names);
  return {
    crowds: crowds.map(({ at, side, moreThan, entry }) => {
      const { exact, partial, incorrect, missed, spurious } = entry;
      const counts = { exact, partial, incorrect, missed, spurious, ...lostOf(entry) };
      return { at, side, moreThan, ...fieldCounts(entry), ...counts };
    }),
    pathsLeft: {
      rare: names.length - listed.length,
      rareFields: known - fieldsOf(listed),
      paths: leftOut(paths.named),
      fields: counted - known - fieldsOf(crowds.map(({ entry }) => entry)),
    },
  };
}

function fieldsOf(cells: readonly FieldCell[]): number {
  return cells.reduce((sum, cell) => {
    const { expected } = fieldCounts(cell);
    return sum + expected + cell.spurious;
  }, 0);
}

const lostOf = ({ invalidOutput, failedRequest }: FieldCell) => ({ invalidOutput, failedRequest });

function cellFigures(
  { name, cell, n }: NamedCell,
  interval: Interval | null,
  overall: number,
): CellFigures {
  const { exact, partial, incorrect, missed, spurious } = cell;
  const { hallucinationRate: _, ...rates } = fieldRates(cell);
  return {
    name,
    n,
    ...fieldCounts(cell),
    exact,
    partial,
    incorrect,
    missed,
    spurious,
    ...rates,
    ...lostOf(cell),
    interval,
    standing: standingOf(interval, overall),
  };
}

function standingOf(interval: Interval | null, overall: number): CellFigures["standing"] {
  if (interval === null) return null;
  if (interval[0] > overall) return "above";
  return interval[1] < overall ? "below" : "level";
}

function categoryShares(tally: Tally): FieldsBreakdown["categoryShares"] {
  const { exact, partial, incorrect, missed, spurious } = tally;
  const all = exact + partial + incorrect + missed + spurious;
  if (all === 0) return null;
  return {
    exact: exact / all,
    partial: partial / all,
    incorrect: incorrect / all,
    missed: missed / all,
    spurious: spurious / all,
  };
}

function similarityOf(spread: UnitSpread): FieldsBreakdown["similarity"]["tokenF1"] {
  return {
    mean: spreadMean(spread),
    median: spreadMedian(spread),
    histogram: histogram(spread, 20),
  };
}
