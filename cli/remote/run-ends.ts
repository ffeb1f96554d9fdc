import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { styleText } from "node:util";
import { z } from "zod";
import type { Run } from "#shared/contracts/run.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { intervalText } from "../compare/figure-text.ts";
import { assayCommand, formatCount, formatValue, printable } from "../terminal/text.ts";
import { metricOf, modelName } from "./runs-text.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

/** Number of attempts to read the rank, which a queue computes within seconds. */
const LOOKS = 6;
const LOOK_EVERY_MS = 500;

const boardSchema = z.object({
  entries: z.array(
    z.object({
      run: z.string(),
      rank: z.int().nullable(),
      unrankedReason: z.string().nullable(),
    }),
  ),
  listed: z.int(),
});
/** The used fields of a board's first page. */
type Board = z.infer<typeof boardSchema>;

/**
 * The last lines of a command that evaluated models: for each finished run its score, rank, cost and report.
 * `isLasting`: whether the service keeps running, so that its pages can be opened. `folder`: the command's results
 * folder.
 */
export async function runEnds(
  service: ServiceClient,
  runs: readonly Run[],
  { isLasting, folder, stream }: { isLasting: boolean; folder: string | null; stream: Writable },
): Promise<string> {
  const ended = runs.filter((run) => run.status === "finished" && !isUnanswered(run));
  const lines: string[] = [];
  for (const run of ended) {
    const rank = isLasting ? await rankOf(service, run) : null;
    const [score = "", report = ""] = endLines(
      run,
      rank,
      isLasting ? service.origin : null,
      stream,
    );
    lines.push(score, ...lowestNotes(run), ...(isLasting || folder === null ? [report] : []));
  }
  if (ended.length > 1) {
    const places = ended.map(({ id }) => (isLasting || folder === null ? id : join(folder, id)));
    lines.push(`Whether they differ: ${assayCommand} compare ${places.map(printable).join(" ")}`);
  }
  return lines.join("\n");
}

/** Warns if all answers have the lowest grade, since a misconfigured judge gives every answer the same grade. */
function lowestNotes({ judging, metrics, headline }: Run): string[] {
  if (judging === null || metrics?.[headline]?.value !== 0) return [];
  return [
    "  The judges gave every answer the lowest grade: read their reasons in samples.jsonl of the run, or on the pages of its samples",
  ];
}

function endLines(
  run: Run,
  rank: string | null,
  origin: string | null,
  stream: Writable,
): string[] {
  const metric = metricOf(run);
  const { value = null, interval = null } = run.metrics?.[run.headline] ?? {};
  const format = metric?.format ?? "score";
  const range = intervalText(interval, format);
  const score = styleText(
    "bold",
    `${metric?.label ?? run.headline} ${formatValue(value, format)}`,
    {
      stream,
    },
  );
  const usd = run.metrics?.["costUsd"]?.value ?? run.cost?.spentUsd;
  const cost = usd === undefined ? "" : `, ${formatValue(usd, "usd")}`;
  const page = run.links.report ?? `/run/?id=${encodeURIComponent(run.id)}`;
  const report =
    origin === null ? `${assayCommand} report ${run.id} writes it` : `${origin}${page}`;
  return [
    `${printable(modelName(run))}: ${score}${range === "" ? "" : ` (95% ${range})`}${rank === null ? "" : `, ${rank}`}${cost}`,
    `  Report: ${printable(report)}`,
  ];
}

/** The rank of a run on the default board, in words. */
async function rankOf(service: ServiceClient, run: Run): Promise<string> {
  if (run.visibility !== "public") return `${run.visibility}, so without a rank`;
  if (run.options["sample"] !== undefined) return "not ranked: only some of the samples";
  if (run.variant !== null) return "not ranked: a variant";
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await setTimeout(LOOK_EVERY_MS);
    const board = await boardOf(service, run);
    if (board === null) break;
    const entry = board.entries.find((one) => one.run === run.id);
    if (entry === undefined) continue;
    const { rank, unrankedReason } = entry;
    return rank === null
      ? `not ranked: ${printable(unrankedReason ?? "see its board")}`
      : `rank ${formatCount(rank)} of ${formatCount(rankedOf(board))}`;
  }
  return "no rank yet";
}

/** Number of ranked models; for a board with several pages, of all listed models. */
const rankedOf = ({ entries, listed }: Board): number =>
  listed > entries.length ? listed : entries.filter(({ rank }) => rank !== null).length;

/** The board of a run's dataset; null if there is none, for example for other options. */
async function boardOf(service: ServiceClient, { suite, dataset }: Run): Promise<Board | null> {
  const query = new URLSearchParams({ suite, dataset: `${dataset.name}@${dataset.version}` });
  try {
    return await service.get(`/v1/leaderboard?${query}`, boardSchema);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
