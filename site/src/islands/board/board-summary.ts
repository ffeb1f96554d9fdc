import type { BoardState } from "./board-state.ts";

const orderWords = { ascending: "lowest first", descending: "highest first", "": "" } as const;

/** What a reader sees of a board, in words. */
export function boardSummary(
  shown: number,
  all: number,
  { order }: Pick<BoardState, "order">,
  sortedBy: string | undefined,
): string {
  if (shown === 0) return `No model matches; Reset shows all ${all}`;
  const count = shown === all ? `${all} models` : `${shown} of ${all} models`;
  return `${count}, by ${sortedBy === undefined ? "rank" : `${sortedBy}, ${orderWords[order]}`}`;
}
