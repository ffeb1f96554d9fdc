import type { RankChange, Republication } from "#shared/contracts/boards/republication.ts";
import type { ListedRun } from "#shared/contracts/run.ts";
import { formatCount } from "../../format/number.ts";
import { runs, snapshot } from "../results.ts";
import { boardPages } from "./boards.ts";

/** Re-publications that have finished, newest first. */
export const republications: readonly Republication[] = snapshot.republications;

export const republicationsTo = (board: string): readonly Republication[] =>
  republications.filter(({ to }) => to.board === board);

/** The newest re-publication of a board's answers. */
export const republicationFrom = (board: string): Republication | undefined =>
  republications.find(({ from }) => from.board === board);

/** Path of a board's page; undefined if the site does not have it. */
export const boardPath = (board: string | null): string | undefined =>
  boardPages.find((page) => page.board.id === board)?.path;

/** Places gained, with a sign; null if one of the ranks is missing. */
export function placesWon({ before, after }: RankChange): number | null {
  const rank = after?.rank ?? null;
  return before.rank === null || rank === null ? null : before.rank - rank;
}

const count = (n: number, one: string, more: string): string =>
  `${formatCount(n)} ${n === 1 ? one : more}`;

/** The change and its stated reason, in a sentence. */
export function causesText(republication: Republication): string {
  const { causes, reason, correctedSamples, from, to } = republication;
  const parts = causes.map((cause) =>
    cause === "dataset"
      ? `${count(correctedSamples ?? 0, "sample was", "samples were")} corrected`
      : from.suiteVersion === to.suiteVersion
        ? "the judging of the answers has changed"
        : `the suite scores with version ${to.suiteVersion}, before with ${from.suiteVersion}`,
  );
  const text = parts.join(", and ");
  // The service's own text for a change of a suite would repeat this.
  const why = causes.includes("dataset") || from.suiteVersion === to.suiteVersion;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${why ? `: “${reason}”` : ""}.`;
}

/** Outcome for the entries, in a sentence. */
export function outcomeText({
  changes,
  to,
  withdrawn,
}: Pick<Republication, "changes" | "to" | "withdrawn">): string {
  const all = changes ?? [];
  if (to.board === null) return "No stored answer was left to score again: the board is unchanged.";
  const rescored = all.filter(({ after }) => after !== null);
  const moved = rescored.filter(({ before, after }) => before.rank !== after?.rank);
  const left = all.length - rescored.length;
  const entries = count(all.length, "entry", "entries");
  const moves =
    moved.length === 0
      ? `None of ${entries} changed rank`
      : `Of ${entries} ${formatCount(moved.length)} changed rank`;
  return `${[
    moves,
    ...(left === 0 ? [] : [`${formatCount(left)} could not be scored again`]),
    ...(withdrawn === 0 ? [] : [`${formatCount(withdrawn)} more were withdrawn since`]),
  ].join("; ")}.`;
}

type Listed = Pick<ListedRun, "id" | "parent" | "republished">;

/**
 * The run that scores the same answers by the current rules, on their current board; undefined if this run does. `runs`
 * are newest first, because a retried run has its answers scored again.
 */
export function newestRescoring(runs: readonly Listed[], run: string): string | undefined {
  const newest = runs.find(({ parent, republished }) => republished && parent === run);
  return newest && (newestRescoring(runs, newest.id) ?? newest.id);
}

/** Runs that rescore answers: few among thousands. */
export const rescorings: readonly Listed[] = runs.filter(({ republished }) => republished);
