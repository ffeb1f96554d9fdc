import type { Parity, ParityHost } from "../../contracts/boards/parity.ts";
import type { Metric } from "../../contracts/metric.ts";
import { differenceText, figureText } from "../report/figures/figure-text.ts";
import { markdownTable, markdownText, type TextTable } from "../report/markdown/markdown-text.ts";
import { parityOwner, removedTexts, verdictText } from "./parity-verdict.ts";

interface Column {
  label: string;
  isNumber: boolean;
  of(host: ParityHost): string;
}

const NONE = "–";

/** The hosts of a parity that one account added. */
export interface HostTable extends TextTable {
  /** Null: the parity's owner added them. */
  addedBy: string | null;
  /** In the order of the rows. */
  hosts: ParityHost[];
}

/**
 * The hosts of a parity as tables: first the owner's, with the reference at the top, then those of each other account.
 * Columns: the compared metric, then each metric that any host has. Earlier runs of a host are below its latest.
 * `metrics`: the catalogue.
 * @example parityTables(parity, suite.metrics)[0]?.rows[0]?.[0] // "Example Cloud"
 */
export function parityTables(parity: Parity, metrics: readonly Metric[]): HostTable[] {
  const { reference, hosts } = parity;
  const columns = [
    ...comparedColumns(parity, metrics),
    ...hostColumns([reference, ...hosts], metrics),
  ];
  const owner = parityOwner(parity);
  const others = Map.groupBy(hosts, ({ addedBy }) => addedBy);
  const own = [reference, ...inOrder(others.get(owner) ?? [])];
  others.delete(owner);
  const tables: [addedBy: string | null, its: ParityHost[]][] = [
    [null, own],
    ...Array.from(others, ([account, its]): [string, ParityHost[]] => [account, inOrder(its)]),
  ];
  return tables.map(([addedBy, its]) => ({
    addedBy,
    hosts: its,
    columns: columns.map(({ label, isNumber }) => ({ label, isNumber })),
    rows: its.map((host) => columns.map(({ of }) => of(host))),
  }));
}

/** Groups the runs of each host, the run that counts first. */
const inOrder = (hosts: readonly ParityHost[]): ParityHost[] =>
  [...Map.groupBy(hosts, ({ label }) => label).values()].flatMap((runs) =>
    runs.sort((a, b) => Number(b.isLatest) - Number(a.isLatest) || b.attempt - a.attempt),
  );

const hostText = ({ label, attempt, attempts }: ParityHost): string =>
  attempts === 1 ? label : `${label}, run ${attempt} of ${attempts}`;

function comparedColumns({ metric }: Parity, metrics: readonly Metric[]): Column[] {
  const headline = metrics.find(({ id }) => id === metric);
  const format = headline?.format ?? "score";
  const difference = (value: number) => differenceText(value, format);
  return [
    { label: "Host", isNumber: false, of: hostText },
    { label: "Verdict", isNumber: false, of: verdictText },
    {
      label: headline?.label ?? metric,
      isNumber: true,
      of: ({ metrics: its }) => figureText(its[metric]?.value ?? null, format) ?? NONE,
    },
    {
      label: "Difference",
      isNumber: true,
      of: ({ versus }) => (versus ? difference(versus.difference) : NONE),
    },
    {
      label: "95% interval",
      isNumber: true,
      of: ({ versus }) => versus?.interval.map(difference).join(" to ") ?? NONE,
    },
  ];
}

function hostColumns(hosts: readonly ParityHost[], metrics: readonly Metric[]): Column[] {
  const [headline, ...ids] = [...new Set(hosts.flatMap((host) => Object.keys(host.metrics)))];
  const shown = ids.flatMap((id) => metrics.find((one) => one.id === id && id !== headline) ?? []);
  const outcomes = ["refused", "empty", "truncated"] as const;
  const labels = { refused: "Refused", empty: "Empty", truncated: "Cut off" };
  return [
    ...shown.map(({ id, label, format }) => ({
      label,
      isNumber: true,
      of: (host: ParityHost) => figureText(host.metrics[id]?.value ?? null, format) ?? NONE,
    })),
    ...outcomes
      .filter((outcome) => hosts.some((host) => (host.outcomes?.[outcome] ?? null) !== null))
      .map((outcome) => ({
        label: labels[outcome],
        isNumber: true,
        of: (host: ParityHost) => `${host.outcomes?.[outcome] ?? NONE}`,
      })),
    { label: "Asked", isNumber: false, of: askedText },
    { label: "Run by", isNumber: false, of: ({ owner }) => owner },
    { label: "Date", isNumber: false, of: ({ finishedAt }) => finishedAt?.slice(0, 10) ?? NONE },
  ];
}

const askedText = ({ provenance, asked }: ParityHost): string =>
  [asked, provenance.endpointHost].filter((one) => one !== null).join(" at ") || "self-reported";

/**
 * Describes the comparison in one sentence.
 * @example parityAbout(parity, metric) // "Qwen 3 on tools, dataset stock, by Call F1 with a margin of 0.050, stated …"
 */
export function parityAbout(
  { model, suite, dataset, margin, createdAt, hosts }: Parity,
  { label, format }: Pick<Metric, "label" | "format">,
): string {
  const late = hosts.filter(({ statedBefore }) => !statedBefore).length;
  const stated = late === 0 ? "" : `; ${late} of ${hosts.length} runs are from before that`;
  return `${model}, suite ${suite}, dataset ${dataset.name}@${dataset.version.slice(0, 12)}, by ${label} with a margin of ${figureText(margin, format)}, stated on ${createdAt.slice(0, 10)}${stated}.`;
}

/**
 * A parity as a page of Markdown.
 * @example parityMarkdown(parity, suite.metrics).split("\n")[0] // "# acme/extract-7b-hosts"
 */
export function parityMarkdown(parity: Parity, metrics: readonly Metric[]): string {
  const metric = metrics.find(({ id }) => id === parity.metric)!;
  return [
    `# ${markdownText(parity.name)}`,
    `**${markdownText(parity.verdict)}**`,
    markdownText(parityAbout(parity, metric)),
    ...parityTables(parity, metrics).flatMap((table) => [
      ...(table.addedBy === null ? [] : [`## Added by ${markdownText(table.addedBy)}`]),
      markdownTable(table),
    ]),
    ...removedTexts(parity).map(markdownText),
  ].join("\n\n");
}
