import type { NoteBlock } from "../../contracts/report.ts";
import { brief } from "../report/charts/blocks.ts";
import type { JudgeRow } from "./breakdown.ts";
import { judgeName } from "./judge-words.ts";

type Rows = readonly JudgeRow[];
type LabelOf = (metric: string) => string;

/**
 * Cautions about the judges of a run: simulated judges, the model's own maker, fallbacks.
 * @example judgeNotes([], labelOf) // []
 */
export const judgeNotes = (judges: Rows, labelOf: LabelOf): NoteBlock[] => [
  ...simulatedNote(judges),
  ...selfPreferenceNote(judges, labelOf),
  ...fallbackNote(judges, labelOf),
];

const note = (title: string, text: string): NoteBlock => ({
  kind: "note",
  title,
  tone: "fair",
  text,
});

const namesOf = (rows: Rows) => [...new Set(rows.map(({ judge }) => judgeName(judge)))].join(", ");

const metricsOf = (rows: Rows, labelOf: LabelOf) =>
  [...new Set(rows.map(({ metric }) => labelOf(metric).toLowerCase()))].join(", ");

function simulatedNote(judges: Rows): NoteBlock[] {
  const simulated = judges.filter((row) => row.simulated);
  if (simulated.length === 0) return [];
  const text = `${namesOf(simulated)}: no language model, but a program that plays one. These numbers show how the suite works and say nothing about real judges.`;
  return [note("Simulated judges", text)];
}

function selfPreferenceNote(judges: Rows, labelOf: LabelOf): NoteBlock[] {
  const own = judges.filter(({ selfPreference }) => selfPreference);
  if (own.length === 0) return [];
  const text = `${namesOf(own)} comes from the same maker as the model: judges tend to prefer what reads like their own answers. It judged ${metricsOf(own, labelOf)}.`;
  return brief([note("Self-preference", text)]);
}

function fallbackNote(judges: Rows, labelOf: LabelOf): NoteBlock[] {
  const fallbacks = judges.filter(({ fallback }) => fallback > 0);
  if (fallbacks.length === 0) return [];
  const text = `${namesOf(fallbacks)} judged ${metricsOf(fallbacks, labelOf)} in place of judges whose provider has no key here.`;
  return [note("Fallback", text)];
}
