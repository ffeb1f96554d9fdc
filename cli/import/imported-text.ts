import { bfclReasons, bfclWarnings } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import { levels } from "#shared/suites/tools/sample.ts";
import { formatCount, textTable } from "../terminal/text.ts";
import { type Imported, sampleCount } from "./imported.ts";

/** Summary of an import, for a terminal; `out`: the file of the samples. */
export function importedText(imported: Imported, out: string | null): string {
  const { cases, levels: of, irrelevance, skipped, warned } = imported;
  const byLevel = levels.map((level) => `${formatCount(of[level])} ${level}`).join(", ");
  const count = formatCount(sampleCount(imported));
  return [
    `Imported ${count} of ${formatCount(cases)} cases: ${byLevel}; ${formatCount(irrelevance)} expect no call`,
    ...counted("Left out", skipped, bfclReasons),
    ...counted("Tolerated", warned, bfclWarnings),
    ...renamedText(imported),
    ...unusedText(imported),
    writtenText(out),
  ].join("\n");
}

function counted<Key extends string>(
  title: string,
  lists: ReadonlyMap<Key, readonly unknown[]>,
  meanings: Readonly<Record<Key, string>>,
): string[] {
  const rows = [...lists].toSorted(([, a], [, b]) => b.length - a.length);
  if (rows.length === 0) return [];
  const cells = rows.map(([key, list]) => [`  ${formatCount(list.length)}`, key, meanings[key]]);
  return ["", `${title}:`, ...textTable(cells, (column) => column > 0)];
}

function renamedText({ renamed }: Imported): string[] {
  const [first] = renamed.values();
  if (first === undefined) return [];
  const names = renamed.size === 1 ? "1 name" : `${formatCount(renamed.size)} names`;
  const example = `${first.from} is ${first.to}`;
  return ["", `Renamed ${names} that OpenAI refuses, in tools and expected calls: ${example}`];
}

function unusedText({ unusedAnswers: count }: Imported): string[] {
  if (count === 0) return [];
  const left = count === 1 ? "1 answer is" : `${formatCount(count)} answers are`;
  return ["", `${left} for no case in the file`];
}

function writtenText(out: string | null): string {
  if (out === null) return "\nNothing was written: --out FILE saves the samples";
  return out === "-" ? "\nThe samples are on standard output" : `\nThe samples are in ${out}`;
}
