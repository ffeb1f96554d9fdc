/**
 * Lines of cells in aligned columns, text to the left and numbers to the right; the first row is the head.
 * @example textTable([["metric", "value"], ["EQS", "0.9"]], (column) => column === 0)
 */
export function textTable(
  rows: readonly (readonly string[])[],
  isText: (column: number) => boolean,
): string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((cells) => cells[k]!.length)));
  return rows.map((cells) => {
    const padded = cells.map((cell, k) =>
      isText(k) ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!),
    );
    return padded.join("  ").trimEnd();
  });
}
