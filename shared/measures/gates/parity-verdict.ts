import type {
  HostVerdict,
  Parity,
  ParityHost,
  RemovedRuns,
} from "../../contracts/boards/parity.ts";
import type { Metric } from "../../contracts/metric.ts";
import { counted } from "../../contracts/text/counted.ts";
import { differenceText, figureText, listed } from "../report/figures/figure-text.ts";

type Shown = Pick<Metric, "label" | "format">;
type Judged = Pick<ParityHost, "versus" | "note" | "status" | "isLatest">;
type Compared = Judged & Pick<ParityHost, "label" | "addedBy">;

/** Maximum number of hosts named in a sentence; the table has all of them. */
const MOST_NAMED = 5;

const words: Readonly<Record<HostVerdict, readonly [one: string, several: string]>> = {
  worse: ["is worse than", "are worse than"],
  equivalent: ["is equivalent to", "are equivalent to"],
  "non-inferior": ["is no worse than", "are no worse than"],
  "not-shown": ["is not shown to be as good as", "are not shown to be as good as"],
};

/**
 * A host's verdict as a table cell, or why there is none.
 * @example verdictText({ versus: null, note: null, status: "running", isLatest: true }) // "running"
 */
export function verdictText({ versus, note, status, isLatest }: Judged): string {
  if (versus === null) return note ?? (status === "finished" ? "reference" : status);
  const verdict = versus.verdict === "not-shown" ? "not shown" : versus.verdict;
  return isLatest ? verdict : `earlier: ${verdict}`;
}

/**
 * The account that owns a parity.
 * @example parityOwner({ name: "acme/hosts" }) // "acme"
 */
export const parityOwner = ({ name }: Pick<Parity, "name">): string => name.split("/")[0]!;

/**
 * The result of a parity, worst hosts first: a sentence for each verdict, with the differences of worse hosts. For each
 * host that the owner added, the latest finished run counts; the sentence only gives the number of other accounts'
 * hosts.
 * @example parityVerdict({ name, reference, hosts, margin: 0.05 }, metric) // "B is equivalent to A within 0.050 in Call F1."
 */
export function parityVerdict(
  {
    name,
    reference,
    hosts,
    margin,
  }: Pick<Parity, "name" | "margin"> & { reference: Compared; hosts: readonly Compared[] },
  { label, format }: Shown,
): string {
  const within = `within ${figureText(margin, format)} in ${label}`;
  const latest = hosts.filter(({ isLatest }) => isLatest);
  const own = latest.filter(({ addedBy }) => addedBy === parityOwner({ name }));
  const sentences = (Object.keys(words) as HostVerdict[]).flatMap((verdict) => {
    const its = own.filter(({ versus }) => versus?.verdict === verdict);
    if (its.length === 0) return [];
    const names = its.map(({ label: host, versus }) =>
      verdict === "worse" ? `${host} (${differenceText(versus!.difference, format)})` : host,
    );
    const how = verdict === "worse" ? `in ${label}` : within;
    return [
      `${listed(names, MOST_NAMED)} ${words[verdict][+(its.length > 1)]} ${reference.label} ${how}.`,
    ];
  });
  const open = own.filter(({ versus }) => versus === null).length;
  if (open > 0) sentences.push(`${open} of ${own.length} hosts can't be compared yet.`);
  const others = latest.length - own.length;
  if (others > 0) sentences.push(`Other accounts added ${counted(others, "host")}, shown apart.`);
  return sentences.length > 0 ? sentences.join(" ") : "No other host was added yet.";
}

/**
 * One sentence for each removal of runs from a parity.
 * @example removedTexts({ removed: [{ addedBy: "ada", label: "B", removedBy: null, runs: 2 }] }) // ["2 runs of B were removed (added by ada)."]
 */
export const removedTexts = ({ removed }: Pick<Parity, "removed">): string[] =>
  removed.map(({ addedBy, label, removedBy, runs }: RemovedRuns) => {
    const what = `${counted(runs, "run")}${label === null ? "" : ` of ${label}`}`;
    const by = removedBy === null || removedBy === addedBy ? "" : ` by ${removedBy}`;
    return `${what} ${runs === 1 ? "was" : "were"} removed${by} (added by ${addedBy}).`;
  });
