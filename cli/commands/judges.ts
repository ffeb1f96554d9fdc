import { setTimeout } from "node:timers/promises";
import { type Republication, republicationSchema } from "#shared/contracts/boards/republication.ts";
import { type Bridge, bridgeSchema } from "#shared/contracts/judging/bridge.ts";
import { type JudgeModel, judgeModelsSchema } from "#shared/contracts/judging/judge-model.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { suites } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { differenceIntervalText, differenceText } from "../compare/figure-text.ts";
import { NotPassed } from "../errors.ts";
import { untilLeft } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { formatCount, formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { textTable } from "../terminal/text-table.ts";

const POLL_MS = 1_000;

const flags = { ...serviceFlags, json: jsonFlag } as const;
const board = {
  name: "board",
  help: "Id of the board: id in GET /v1/leaderboard, also on the board's page",
};
const ofOperator = {
  environment: keyVariable,
  positionals: [board],
  notes: ["The key needs the scope admin, because the operator of the service pays its judges."],
} as const;

const list = command({
  name: "judges list",
  summary: "list the models that judge, and how long they are offered",
  description: [
    "Lists the models that judge at a service, what each judges, and the day on which its provider shuts it down. The service looks for these days once a day.",
  ],
  flags,
  environment: keyVariable,
  async run(values, _, { stdout }) {
    const service = serviceOf(values, "submit");
    const { value } = await service.get("/v1/judges", judgeModelsSchema);
    const text = values.json ? JSON.stringify(value, null, 2) : judgesText(value.judges);
    stdout.write(`${text}\n`);
  },
});

function judgesText(judges: readonly JudgeModel[]): string {
  const head = ["provider", "model", "judges", "USD per million, in", "out", "ends"];
  const usd = (value: number | undefined) => formatValue(value ?? null, "usd");
  const rows = judges.map(({ provider, model, judges: its, price, ends, simulated }) => [
    simulated ? `${provider} (simulated)` : provider,
    model,
    `${its.length}`,
    usd(price?.inputPerMillion),
    usd(price?.outputPerMillion),
    ends ?? "none announced",
  ]);
  const warnings = judges.flatMap(({ warning }) => warning ?? []);
  const table = textTable([head, ...rows], (column) => ![2, 3, 4].includes(column));
  return [...table, ...warnings].map(printable).join("\n");
}

const bridge = command({
  name: "judges bridge",
  summary: "compare old and new judges on the stored answers of a board",
  description: [
    "Has stored answers of a board judged by other judges, and prints how much each metric shifts, with a 95% interval. Calls no model under test. The result is also on the board's page.",
  ],
  ...ofOperator,
  flags: {
    judge: valueFlag("NAME", "The new judge, as model or provider:model; several are a panel", {
      multiple: true,
    }),
    answers: valueFlag("N", "Stored answers to judge, spread evenly over the scores", {
      default: "200",
    }),
    ...flags,
  },
  exitCodes: { 1: "The new judges gave no judgment" },
  examples: [
    "assay judges bridge 01a2b3c4d5e6f708 --judge openai:gpt-6.1-terra",
    "assay judges bridge 01a2b3c4d5e6f708 --answers 500",
  ],
  async run({ judge = [], answers, ...values }, [id = ""], { stdout, stderr }) {
    const service = serviceOf(values, "admin");
    const [first, ...others] = judge;
    const options = others.length > 0 ? { judges: judge } : first ? { judge: first } : {};
    const path = `/v1/boards/${encodeURIComponent(id)}/bridges`;
    const body = { answers: Number(answers), options };
    const started = (await service.post(path, body, bridgeSchema)).value;
    const { show, clear } = progressLine(stderr);
    const advice = `the service continues; GET /v1/bridges/${started.id} has the result`;
    const ended = await untilLeft({ clear, advice, stderr }, async () => {
      const its = await followed(service, `/v1/bridges/${started.id}`, bridgeSchema, (now) => {
        const { done, total } = now.progress;
        show(`judging: ${formatCount(done)} of ${formatCount(total)} answers …`);
        return now.status !== "judging";
      });
      clear();
      return its;
    });
    stdout.write(`${values.json ? JSON.stringify(ended, null, 2) : bridgeText(ended)}\n`);
    if (ended.status === "failed") throw new NotPassed(ended.statusReason ?? "it failed");
  },
});

async function followed<T>(
  service: ServiceClient,
  path: string,
  schema: Parameters<typeof service.get<T>>[1],
  isOver: (value: T) => boolean,
): Promise<T> {
  for (;;) {
    const { value } = await service.get(path, schema);
    if (isOver(value)) return value;
    await setTimeout(POLL_MS);
  }
}

const metrics: ReadonlyMap<string, Metric> = new Map(
  suites.flatMap((suite) => suite.metrics.map((metric) => [metric.id, metric])),
);

function bridgeText({ id, shifts, from, to }: Bridge): string {
  const namesOf = (judging: Bridge["from"]) => {
    const routes = Object.values(judging?.judges ?? {}).flatMap((its) => its.routes);
    return [...new Set(routes.map(({ model }) => model))].join(", ");
  };
  const head = ["metric", "answers", "old judge", "new judge", "shift", "95% interval"];
  const rows = (shifts ?? []).map(({ metric, n, before, after, shift, interval }) => {
    const { label = metric, format = "score" } = metrics.get(metric) ?? {};
    const values = [before, after].map((value) => formatValue(value, format));
    const ends = differenceIntervalText(interval, format);
    return [label, formatCount(n), ...values, differenceText(shift, format), ends];
  });
  const title = `Bridge ${id}: from ${namesOf(from)} to ${namesOf(to)}`;
  return [title, ...textTable([head, ...rows], (column) => column === 0)].map(printable).join("\n");
}

const republish = command({
  name: "judges republish",
  summary: "move a board to the current judges and scoring",
  description: [
    "Scores the stored answers of a board again, with the current judges of the service, into a new board, and prints the rank of each model before and after. Calls no model under test.",
  ],
  ...ofOperator,
  flags: { reason: valueFlag("TEXT", "Reason, shown with the ranks"), ...flags },
  examples: ['assay judges republish 01a2b3c4d5e6f708 --reason "gpt-4o ends in January"'],
  async run({ reason, ...values }, [id = ""], { stdout, stderr }) {
    const service = serviceOf(values, "admin");
    const path = `/v1/boards/${encodeURIComponent(id)}/republish`;
    const body = reason === undefined ? {} : { reason };
    const started = (await service.post(path, body, republicationSchema)).value;
    const at = `/v1/republications/${started.id}`;
    const advice = `the service continues; GET ${at} has the result`;
    const ended = await untilLeft({ clear: () => {}, advice, stderr }, () =>
      followed(service, at, republicationSchema, ({ finishedAt }) => finishedAt !== null),
    );
    stdout.write(`${values.json ? JSON.stringify(ended, null, 2) : ranksText(ended)}\n`);
  },
});

function ranksText({ from, to, metric: headline, changes }: Republication): string {
  const { label = headline, format = "score" } = metrics.get(headline) ?? {};
  const head = ["model", "rank before", "after", `${label} before`, "after"];
  const rows = (changes ?? []).map(({ model, before, after, reason }) => [
    model.slug,
    ...[before, after].map((place) => `${place?.rank ?? "–"}`),
    ...[before, after].map((place) => formatValue(place?.headline.value ?? null, format)),
    reason ?? "",
  ]);
  const title = `Board ${from.board} is now ${to.board ?? "unchanged"}`;
  const table = textTable([[...head, ""], ...rows], (column) => [0, 5].includes(column));
  return [title, ...table].map(printable).join("\n");
}

/** Commands on judges. */
export const judgesCommands = [list, bridge, republish];
