import type { LatencyLoad } from "./latency-load.ts";

const signs = ["†", "‡", "§", "¶"];

/** A sign for each load that a column does not say of all its runs, in the order of the board. */
export interface LoadMarks {
  /** Each sign with what it stands for. */
  key: { sign: string; text: string }[];
  /** By run, what stands beside its latency. */
  of(run: string): string | undefined;
}

/** Signs where there are enough of them; else each row says it in words. */
export function loadMarks({ own }: Pick<LatencyLoad, "own">): LoadMarks {
  const texts = [...new Set(own.values())];
  if (texts.length > signs.length) return { key: [], of: (run) => own.get(run) };
  const key = texts.map((text, i) => ({ sign: signs[i] ?? "", text }));
  return { key, of: (run) => key.find(({ text }) => text === own.get(run))?.sign };
}
