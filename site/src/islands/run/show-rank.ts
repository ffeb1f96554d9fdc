import { formatCount } from "../../format/number.ts";
import { rankNote } from "../../report/shown-run.ts";
import { entryOnBoard } from "./board-pages.ts";

/**
 * Writes a run's current rank into its report: below the first places, ranks may have changed since the page was built.
 */
export async function showRank(cell: HTMLElement): Promise<void> {
  const { rank: board = "", run = "" } = cell.dataset;
  const found = await entryOnBoard(`/v1/boards/${board}`, run).catch(() => null);
  if (found === null || found.entry.rank === null) return;
  cell.textContent = `${formatCount(found.entry.rank)} of ${formatCount(found.ranked)}`;
  const note = cell.parentElement?.querySelector("small");
  if (note) note.textContent = rankNote(found.entry.rankInterval) ?? "";
}
