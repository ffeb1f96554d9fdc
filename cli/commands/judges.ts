import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { leaderboardSchema } from "#shared/contracts/boards/leaderboard.ts";
import { type Republication, republicationSchema } from "#shared/contracts/boards/republication.ts";
import { type Bridge, bridgeSchema } from "#shared/contracts/judging/bridge.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { suites } from "#shared/suites/registry.ts";
import { valueFlag } from "../command-line/command.ts";
import { differenceIntervalText, differenceText } from "../compare/figure-text.ts";
import { untilLeft } from "../remote/follow-runs.ts";
import { serviceCommand } from "../remote/service-flags.ts";
import { formatCount, formatValue, printable, textTable } from "../terminal/text.ts";

const POLL_MS = 1_000;

const boardSchema = leaderboardSchema.pick({ bridges: true });
const ofBoard = {
  scope: "admin",
  positionals: [{ name: "board", help: "Id of the board, as in GET /v1/leaderboard" }],
  notes: ["The key needs the scope admin, because the operator of the service pays its judges."],
} as const;

/** Polls the service until it returns a value. */
async function awaited<T>(stderr: Writable, read: () => Promise<T | undefined>): Promise<T> {
  const advice = "the service continues; the board shows the result";
  return untilLeft({ clear: () => {}, advice, stderr }, async () => {
    for (;;) {
      const found = await read();
      if (found !== undefined) return found;
      await setTimeout(POLL_MS);
    }
  });
}

const pathOf = (board: string) => `/v1/boards/${encodeURIComponent(board)}`;

const metrics: ReadonlyMap<string, Metric> = new Map(
  suites.flatMap((suite) => suite.metrics.map((metric) => [metric.id, metric])),
);

const bridge = serviceCommand({
  name: "judges bridge",
  summary: "compare old and new judges on the stored answers of a board",
  description: [
    "Has stored answers of a board judged by other judges, and prints how much each metric shifts, with a 95% interval. Calls no model under test. The result is also on the board's page.",
  ],
  ...ofBoard,
  flags: {
    judge: valueFlag("NAME", "New judge, model or provider:model; default: the service's judge"),
  },
  examples: ["assay judges bridge 01a2b3c4d5e6f708 --judge openai:gpt-6.1-terra"],
  result: bridgeSchema,
  async call(service, { judge }, [id], { stderr }) {
    const body = judge === undefined ? {} : { options: { judge } };
    const started = await service.post(`${pathOf(id)}/bridges`, body, bridgeSchema);
    return awaited(stderr, async () => {
      const { bridges } = await service.get(pathOf(id), boardSchema);
      return bridges.find((one) => one.id === started.id);
    });
  },
  text: bridgeText,
});

function bridgeText({ shifts }: Bridge): string {
  const head = ["metric", "answers", "old judges", "new judges", "shift", "95% interval"];
  const rows = shifts.map(({ metric, n, before, after, shift, interval }) => {
    const { label = metric, format = "score" } = metrics.get(metric) ?? {};
    const values = [before, after].map((value) => formatValue(value, format));
    const ends = differenceIntervalText(interval, format);
    return [
      label,
      formatCount(n),
      ...values,
      shift === null ? "–" : differenceText(shift, format),
      ends,
    ];
  });
  return textTable([head, ...rows], (column) => column === 0)
    .map(printable)
    .join("\n");
}

const republish = serviceCommand({
  name: "judges republish",
  summary: "move a board to the current judges and scoring",
  description: [
    "Scores the stored answers of a board again, with the current judges of the service, into a new board, and prints the rank of each model before and after. Calls no model under test.",
  ],
  ...ofBoard,
  examples: ["assay judges republish 01a2b3c4d5e6f708"],
  result: republicationSchema,
  async call(service, _, [id], { stderr }) {
    const started = await service.post(`${pathOf(id)}/republish`, {}, republicationSchema);
    return awaited(stderr, async () => {
      const path = `/v1/republications/${started.id}`;
      const value = await service.get(path, republicationSchema);
      return value.finishedAt === null ? undefined : value;
    });
  },
  text: ranksText,
});

function ranksText({ from, to, metric: headline, changes }: Republication): string {
  const { label = headline, format = "score" } = metrics.get(headline) ?? {};
  const head = ["model", "rank before", "rank after", `${label} before`, "after", ""];
  const rows = (changes ?? []).map(({ model, before, after, reason }) => [
    model.slug,
    `${before?.rank ?? "–"}`,
    `${after?.rank ?? "–"}`,
    formatValue(before?.headline.value ?? null, format),
    formatValue(after?.headline.value ?? null, format),
    reason ?? "",
  ]);
  const title = `Board ${from.board} is now ${to.board ?? "unchanged"}`;
  const table = textTable([head, ...rows], (column) => [0, 5].includes(column));
  return [title, ...table].map(printable).join("\n");
}

/** Commands on judges. */
export const judgesCommands = [bridge, republish];
