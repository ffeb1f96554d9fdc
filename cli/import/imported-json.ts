import { type Imported, sampleCount } from "./imported.ts";

/** What an import came to, as one JSON object. */
export function importedJson(imported: Imported, out: string | null): object {
  const { cases, levels, irrelevance, skipped, warned, renamed, unusedAnswers } = imported;
  return {
    format: "bfcl",
    suite: "tools",
    cases,
    imported: sampleCount(imported),
    levels,
    irrelevance,
    skipped: counted(skipped),
    malformed: imported.malformed.kept,
    warned: counted(warned),
    renamed: [...renamed.values()],
    unusedAnswers,
    out,
  };
}

function counted(lists: ReadonlyMap<string, readonly (string | null)[]>): object {
  const entries = [...lists].map(([key, ids]) => [key, { count: ids.length, ids }]);
  return Object.fromEntries(entries);
}
