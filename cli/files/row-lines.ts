import type { ScoredFiles } from "../score/score-files.ts";
import { formatCount } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import type { RowNotes } from "./row-notes.ts";

/** Maximum malformed samples listed one by one; further ones are counted. */
const MAX_LISTED = 20;

/** Maximum warnings listed one by one: often every row of a file has the same one. */
const MAX_WARNINGS = 5;

/** The samples that were left out, a line each, with line, id and reason. */
export function malformedLines(
  file: string,
  { malformed }: Pick<ScoredFiles, "malformed">,
): string[] {
  const lines = malformed.kept.slice(0, MAX_LISTED).map(({ line, id, reason }) => {
    const name = id === null ? "" : `sample ${JSON.stringify(id)}: `;
    return printable(`${file}:${line}: ${name}${reason}; left out`);
  });
  const more = malformed.count - MAX_LISTED;
  return more <= 0 ? lines : [...lines, `${file}: ${formatCount(more)} more malformed, left out`];
}

/** Warnings on a file's rows, a line each, with line and id. */
export function warningLines(file: string, warnings: RowNotes): string[] {
  const lines = warnings.kept.slice(0, MAX_WARNINGS).map(({ line, id, reason }) => {
    const name = id === null ? "" : `sample ${JSON.stringify(id)}: `;
    return printable(`${file}:${line}: ${name}${reason} (warning)`);
  });
  const more = warnings.count - MAX_WARNINGS;
  if (more <= 0) return lines;
  return [...lines, `${file}: ${formatCount(more)} more warnings; --json lists them`];
}
