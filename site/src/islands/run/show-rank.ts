import { formatCount } from "../../format/number.ts";
import { rankNote } from "../../report/shown-run.ts";
import { entryOnBoard } from "./board-pages.ts";

/** Puts the rank of a run into its report: below the first places, the page is older than the ranks may be. */
export async function showRank(cell: HTMLElement): Promise<void> {
  const { rank: board = "", run = "" } = cell.dataset;
  const found = await entryOnBoard(`/v1/boards/${board}`, run).catch(() => null);
  if (found === null || found.entry.rank === null) return;
  cell.textContent = `${formatCount(found.entry.rank)} of ${formatCount(found.ranked)}`;
  const note = cell.parentElement?.querySelector("small");
  if (note) note.textContent = rankNote(found.entry.rankInterval) ?? "";
}
