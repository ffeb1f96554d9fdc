import type { Republication } from "#shared/contracts/republication.ts";
import { formatCount } from "../format/number.ts";

const count = (n: number, one: string, more: string): string =>
  `${formatCount(n)} ${n === 1 ? one : more}`;

/** What was changed, in a sentence. */
export function causesText({ causes, correctedSamples, from, to }: Republication): string {
  const parts = causes.map((cause) =>
    cause === "dataset"
      ? `${count(correctedSamples ?? 0, "gold answer was", "gold answers were")} corrected`
      : from.suiteVersion === to.suiteVersion
        ? "the answers are judged otherwise"
        : `the suite scores by its version ${to.suiteVersion}, before by ${from.suiteVersion}`,
  );
  const text = parts.join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What became of the entries, in a sentence. */
export function outcomeText({ changes, to }: Pick<Republication, "changes" | "to">): string {
  const all = changes ?? [];
  if (to.board === null) return "No answer was left that could be scored anew: the board stands.";
  const anew = all.filter(({ after }) => after !== null);
  const moved = anew.filter(({ before, after }) => before.rank !== after?.rank);
  const left = all.length - anew.length;
  const told = `Of ${count(all.length, "entry", "entries")} ${formatCount(moved.length)} changed rank`;
  return left === 0 ? `${told}.` : `${told}; ${formatCount(left)} could not be scored anew.`;
}
