import type { HostVerdict, Parity, ParityHost } from "../../contracts/boards/parity.ts";
import type { Metric } from "../../contracts/metric.ts";
import { differenceText, figureText } from "../report/figures/figure-text.ts";

type Compared = Pick<ParityHost, "label" | "versus" | "note" | "status">;
type Shown = Pick<Metric, "label" | "format">;

/** Most hosts that a sentence names; the table has all of them. */
const MOST_NAMED = 5;

const words: Readonly<Record<HostVerdict, readonly [one: string, several: string]>> = {
  worse: ["is worse than", "are worse than"],
  equivalent: ["is equivalent to", "are equivalent to"],
  "non-inferior": ["is no worse than", "are no worse than"],
  "not-shown": ["is not shown to be as good as", "are not shown to be as good as"],
};

/**
 * A verdict for a cell of a table.
 * @example verdictText({ versus: null, note: null, status: "running" }) // "running"
 */
export function verdictText({ versus, note, status }: Omit<Compared, "label">): string {
  if (versus === null) return note ?? (status === "finished" ? "reference" : status);
  return versus.verdict === "not-shown" ? "not shown" : versus.verdict;
}

/**
 * The result of a parity, worst hosts first: a sentence for each verdict, with the difference of hosts that are worse.
 * @example parityVerdict({ reference, hosts, margin: 0.05 }, metric) // "B is equivalent to A within 0.050 in Call F1."
 */
export function parityVerdict(
  {
    reference,
    hosts,
    margin,
  }: Record<"reference", Compared> & {
    hosts: readonly Compared[];
    margin: Parity["margin"];
  },
  { label, format }: Shown,
): string {
  const within = `within ${figureText(margin, format)} in ${label}`;
  const sentences = (Object.keys(words) as HostVerdict[]).flatMap((verdict) => {
    const its = hosts.filter(({ versus }) => versus?.verdict === verdict);
    if (its.length === 0) return [];
    const names = its.map(({ label: host, versus }) =>
      verdict === "worse" ? `${host} (${differenceText(versus!.difference, format)})` : host,
    );
    const how = verdict === "worse" ? `in ${label}` : within;
    return [`${listed(names)} ${words[verdict][+(its.length > 1)]} ${reference.label} ${how}.`];
  });
  const open = hosts.filter(({ versus }) => versus === null).length;
  if (open > 0) sentences.push(`${open} of ${hosts.length} hosts can't be compared yet.`);
  return sentences.length > 0 ? sentences.join(" ") : "No other host was added yet.";
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED);
  if (names.length > MOST_NAMED) shown.push(`${names.length - MOST_NAMED} more`);
  return shown.length < 2
    ? (shown[0] ?? "")
    : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
