import type { BarsBlock, ReportSection, Tone } from "../../../contracts/report.ts";
import { intervalText, tableOf } from "../../../measures/report/blocks.ts";
import type { CellFigures } from "../breakdown-parts.ts";
import type { ReportFacts } from "./report-facts.ts";

const charts = [
  ["byType", "Partial F1 by field type"],
  ["byDepth", "Partial F1 by depth"],
  ["byRequired", "Partial F1 of required and optional fields"],
  ["byComplexity", "Partial F1 by complexity of the schema"],
] as const;

const partLabels = { byType: "", byDepth: "depth ", byRequired: "", byComplexity: "schema: " };

/** Of strengths and of weaknesses. */
const mostStandings = 10;

/**
 * Fields by type, depth, requirement and complexity bin, and the parts that clearly differ from the run.
 * Source: specification of the extraction suite, section 7.
 * @example partSection(facts).id // "parts"
 */
export function partSection({ breakdown, metrics }: ReportFacts): ReportSection {
  const { fields } = breakdown;
  const parts = charts.flatMap(([place]) =>
    fields[place].map((cell) => ({ ...cell, name: `${partLabels[place]}${cell.name}` })),
  );
  const paths = fields.byPath.map((cell) => ({ ...cell, name: cell.name || "(root)" }));
  return {
    id: "parts",
    title: "Strengths and weaknesses",
    intro:
      "Fields by type of the expected value, by how deep they lie, by whether the schema requires them, and by complexity of the schema. A part stands out when its 95% interval leaves out the partial F1 of all fields.",
    blocks: [
      ...charts.map(([place, title]) => chart(title, fields[place])),
      ...partTable(parts),
      ...standingTable([...parts, ...paths], metrics["partialF1"]?.value ?? null),
    ],
  };
}

const tones: Readonly<Record<string, Tone>> = { above: "good", below: "poor" };

function chart(title: string, cells: readonly CellFigures[]): BarsBlock {
  return {
    ...{ kind: "bars", title, format: "score" },
    bars: cells.map(({ name, partialF1, interval, n, standing }) => ({
      ...{ label: name, value: partialF1, interval, n, tone: tones[standing ?? ""] ?? "neutral" },
    })),
  };
}

function partTable(parts: readonly CellFigures[]) {
  return tableOf(
    "Precision, recall and F1 by part",
    [
      ["name", "Fields", "text"],
      ["n", "Samples", "count"],
      ["expected", "Expected", "count"],
      ["partialPrecision", "Precision", "score"],
      ["partialRecall", "Recall", "score"],
      ["strictF1", "Strict F1", "score"],
      ["partialF1", "Partial F1", "score"],
      ["lenientF1", "Lenient F1", "score"],
      ["omissionRate", "Omission", "percent"],
    ],
    parts.map((part) => ({
      ...{ name: part.name, n: part.n, expected: part.expected },
      ...{ partialPrecision: part.partialPrecision, partialRecall: part.partialRecall },
      ...{ strictF1: part.strictF1, partialF1: part.partialF1, lenientF1: part.lenientF1 },
      omissionRate: part.omissionRate,
    })),
  );
}

function standingTable(parts: readonly CellFigures[], overall: number | null) {
  const gap = ({ partialF1 }: CellFigures) => Math.abs(partialF1 - (overall ?? 0));
  const of = (standing: "above" | "below") =>
    parts
      .filter((part) => part.standing === standing)
      .sort((a, b) => gap(b) - gap(a))
      .slice(0, mostStandings);
  return tableOf(
    "Parts that stand out",
    [
      ["part", "Fields", "text"],
      ["standing", "Beside all fields", "text"],
      ["partialF1", "Partial F1", "score"],
      ["interval", "95% interval", "text"],
      ["n", "Samples", "count"],
    ],
    [...of("below"), ...of("above")].map(({ name, standing, partialF1, interval, n }) => ({
      ...{ part: name, standing: standing === "above" ? "stronger" : "weaker", partialF1 },
      ...{ interval: intervalText(interval), n },
    })),
  );
}
