import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Reference } from "#shared/contracts/suite.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import { suiteById } from "#shared/suites/registry.ts";
import {
  type IntervalScale,
  intervalScale,
  leadingScale,
} from "../../charts/parts/interval-scale.ts";
import { runsById } from "../results.ts";

type Board = Pick<Leaderboard, "suite" | "entries">;

/** The reference lines of a board, by the options that its runs share; none in most suites. */
function boardReferences({ suite: id, entries }: Board): readonly Reference[] {
  const suite = suiteById(id);
  if (suite?.references === undefined) return [];
  const options = runsById.get(entries[0]?.run ?? "")?.options ?? {};
  const own = suite.optionsSchema.safeParse(suiteOptions(options));
  return suite.references(own.success ? own.data : suite.optionsSchema.parse({}));
}

/** The scale of a board's headline; it includes all reference lines. */
export function boardScale(board: Board, most?: number): IntervalScale {
  const references = boardReferences(board);
  const estimates = board.entries.map(({ headline }) => headline).slice(0, most);
  if (references.length === 0) {
    return most === undefined ? leadingScale(estimates) : intervalScale(estimates);
  }
  const lines = references.map(({ value }) => ({ value, interval: null }));
  return { ...intervalScale([...estimates, ...lines]), references };
}
