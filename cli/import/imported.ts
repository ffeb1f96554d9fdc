import type { BfclCase, BfclReason, BfclWarning } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import type { Level } from "#shared/suites/tools/sample.ts";
import { RowNotes } from "../files/row-notes.ts";

/** The result of an import. */
export interface Imported {
  cases: number;
  levels: Record<Level, number>;
  /** Samples that expect no call. */
  irrelevance: number;
  /** Ids of left-out cases by reason; null for a row without an id. */
  skipped: Map<BfclReason, (string | null)[]>;
  /** The malformed rows among them, with errors. */
  malformed: RowNotes;
  /** Ids of the samples with a tolerated flaw. */
  warned: Map<BfclWarning, string[]>;
  /** Renamed functions whose names OpenAI refuses, each once. */
  renamed: Map<string, { from: string; to: string }>;
  /** Possible answers without a case. */
  unusedAnswers: number;
}

/** The initial state of an import. */
export function emptyImport(): Imported {
  return {
    cases: 0,
    levels: { easy: 0, medium: 0, hard: 0 },
    irrelevance: 0,
    skipped: new Map(),
    malformed: new RowNotes(),
    warned: new Map(),
    renamed: new Map(),
    unusedAnswers: 0,
  };
}

/** Counts an imported case. */
export function countSample(imported: Imported, { sample, warnings, renamed }: BfclCase): void {
  imported.levels[sample.difficulty]++;
  if (sample.expected_calls.length === 0) imported.irrelevance++;
  for (const warning of warnings) listIn(imported.warned, warning, sample.id);
  for (const one of renamed) imported.renamed.set(`${one.from}\n${one.to}`, one);
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Counts a left-out case. */
export function countSkipped({ skipped }: Imported, reason: BfclReason, id: string | null): void {
  listIn(skipped, reason, id);
}

/** Number of samples of all levels. */
export const sampleCount = ({ levels }: Imported): number =>
  Object.values(levels).reduce((sum, count) => sum + count, 0);
