import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { type Conditions, replyOf } from "../cloud/data-plane.ts";
import type { Usage } from "../cloud/limits.ts";
import {
  bearer,
  equal,
  type Findings,
  includes,
  NAME,
  type Outcome,
  onDeployed,
  page,
  type Scene,
} from "./scene.ts";

const usual: Partial<Conditions> = {
  distances: { d1: 60, r2: 50, queues: 20 },
  growth: 1,
  doubled: 0.01,
};
const LONG = 100_000;
/** Rows that are summed up in one invocation. */
const PIECE_ROWS = 5_000;
const FEW = 300;
const HOST = "https://models.assay-rehearsal.com/v1";
const CONCURRENCY = 200;

const sampleOf = (i: number) => ({
  id: `s${i}`,
  text: `Invoice ${i}.`,
  schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  expected_output: { n: i },
});

/** One of ten is wrong; `shift` says which. */
const outputOf = (i: number, shift = 0): string =>
  JSON.stringify({ n: (i + shift) % 10 === 0 ? -1 : i });

export const submittedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });
const runSchema = z.object({
  status: z.string(),
  statusReason: z.string().nullish(),
  metrics: z.record(z.string(), z.unknown()).nullish(),
});

/** Runs that are far too long to be read in one invocation, and what reads them when they have ended. */
export const pieceScenes: readonly Scene[] = [
  {
    name: `a run of ${LONG.toLocaleString("en")} samples, summed up in pieces`,
    isQuick: false,
    play: () => played("paid", usual, longRuns),
  },
  {
    name: `runs of ${FEW} samples on the free plan, within its limits`,
    isQuick: false,
    play: () => played("free", { ...usual, growth: 5 }, fewOnFree),
  },
];

const played = (
  plan: "free" | "paid",
  conditions: Partial<Conditions>,
  play: (cloud: Cloud, findings: Findings) => Promise<void>,
): Promise<Outcome> =>
  onDeployed({ plan, conditions }, async (cloud, findings) => {
    cloud.workers.outside = answered;
    await play(cloud, findings);
  });

/** Only runs with the same prompt are compared. */
const promptHash = promptHashOf(extraction, extraction.optionsSchema.parse({}));

async function longRuns(cloud: Cloud, findings: Findings): Promise<void> {
  await upload(cloud, LONG);
  const before = cloud.workers.usage.length;
  const sent = await submitted(cloud, LONG, "sent", { answers: answersTo(LONG), promptHash });
  const first = await ended(cloud, sent);
  findings.add("submitted answers: every metric and interval is that of the run at once", () =>
    equal(first.metrics, expectedMetrics(sent, LONG)),
  );
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const asked = await submitted(cloud, LONG, "asked", { endpoint });
  const second = await ended(cloud, asked);
  const { eqs: expected } = expectedMetrics(asked, LONG);
  findings.add("an endpoint: the score and its interval are those of the run at once", () =>
    equal(second.metrics?.["eqs"], expected),
  );
  const finishing = finishesOf(cloud.workers.usage.slice(before));
  const least = (3 * LONG) / PIECE_ROWS;
  const other = await submitted(cloud, LONG, "other", { answers: answersTo(LONG, 3), promptHash });
  await ended(cloud, other);
  findings.add(`each run took ${LONG / PIECE_ROWS} invocations or more`, () =>
    finishesOf(cloud.workers.usage.slice(before)).length >= least
      ? undefined
      : `${finishing.length}`,
  );
  await readers(cloud, findings, [sent, other]);
  withinLimits(findings, cloud.workers.usage.slice(before), "paid");
}

/** What reads all of a run when it has ended. */
async function readers(cloud: Cloud, findings: Findings, runs: readonly string[]) {
  const [run = ""] = runs;
  for (const file of ["samples.csv", "samples.jsonl", "answers.jsonl", "fields.csv"]) {
    const { text } = await page(cloud, `/v1/runs/${run}/${file}`, { headers: bearer });
    const lines = text.trimEnd().split("\n").length - Number(file.endsWith(".csv"));
    findings.add(`${file} has a line for every sample`, () => equal(lines, LONG));
  }
  const statement = await page(cloud, `/v1/runs/${run}/statement`, { headers: bearer });
  findings.add("its statement is signed", () => includes(statement.text, '"signature":"'));
  const path = `/v1/compare?runs=${[...runs].sort().join()}`;
  let compared = await page(cloud, path, { headers: bearer });
  while (compared.status === 202) {
    await setTimeout(2_000);
    compared = await page(cloud, path, { headers: bearer });
  }
  findings.add("two such runs are compared, on all samples", () =>
    includes(compared.text, `"samples":${LONG}`),
  );
}

async function fewOnFree(cloud: Cloud, findings: Findings): Promise<void> {
  await upload(cloud, FEW);
  const before = cloud.workers.usage.length;
  const run = await submitted(cloud, FEW, "sent", { answers: answersTo(FEW) });
  const { metrics } = await ended(cloud, run);
  findings.add("every metric and interval is that of the run at once", () =>
    equal(metrics, expectedMetrics(run, FEW)),
  );
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const asked = await submitted(cloud, FEW, "asked", { endpoint });
  const second = await ended(cloud, asked);
  findings.add("an endpoint: the score and its interval are those of the run at once", () =>
    equal(second.metrics?.["eqs"], expectedMetrics(asked, FEW).eqs),
  );
  withinLimits(findings, cloud.workers.usage.slice(before), "free");
}

const finishesOf = (usage: readonly Usage[]): Usage[] =>
  usage.filter(({ of }) => of === `${NAME}-finish`);

function withinLimits(findings: Findings, usage: readonly Usage[], plan: "free" | "paid"): void {
  const most = (of: (one: Usage) => number) => Math.max(0, ...usage.map(of));
  const queries = most((one) => one.d1Queries);
  const asker = usage.find((one) => one.d1Queries === queries)?.of.replace(/[0-9a-f]{20,}/, "…");
  const requests = most((one) => one.internal);
  const message = most((one) => one.largestMessageBytes);
  const value = most((one) => one.largestValueBytes);
  findings.add(
    `no call was refused on the ${plan} plan; most in an invocation: ${queries} D1 queries (${asker}), ${requests} requests to services, ${message} bytes of a message, ${value} of a value in D1`,
    () => usage.flatMap((one) => one.refused)[0],
  );
}

/** Answers any request for a sample of these at once. */
export async function answered(request: Request): Promise<Response> {
  const i = Number(/Invoice (\d+)/.exec(await request.text())?.[1]);
  const message = { role: "assistant", content: outputOf(i) };
  const usage = { prompt_tokens: 20, completion_tokens: 5 };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  return replyOf(Response.json({ id: `c${i}`, object: "chat.completion", choices, usage }));
}

export const answersTo = (count: number, shift = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `s${i}`, output: outputOf(i, shift) }));

export async function upload(cloud: Cloud, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => JSON.stringify(sampleOf(i)));
  const uploaded = await page(cloud, `/v1/datasets?suite=extraction&name=invoices-${count}`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/jsonl" },
    body: rows.join("\n"),
  });
  if (uploaded.status >= 300) throw new Error(uploaded.text.slice(0, 900));
}

export async function submitted(
  cloud: Cloud,
  count: number,
  name: string,
  more: object,
): Promise<string> {
  const reply = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({
      suite: "extraction",
      dataset: `invoices-${count}`,
      options: { concurrency: CONCURRENCY },
      models: [{ name, slug: `rehearsal/${name}`, simulated: true, ...more }],
    }),
  });
  const read = submittedSchema.safeParse(JSON.parse(reply.text));
  if (!read.success) throw new Error(reply.text.slice(0, 900));
  return read.data.runs[0]!.id;
}

export async function ended(cloud: Cloud, run: string) {
  for (;;) {
    await setTimeout(2_000);
    const { text } = await page(cloud, `/v1/runs/${run}`, { headers: bearer });
    const read = runSchema.parse(JSON.parse(text));
    if (read.status === "finished") return read;
    if (read.status === "failed" || read.status === "cancelled")
      throw new Error(text.slice(0, 900));
  }
}

/** The metrics of submitted answers to so many samples, summed up at once. */
function expectedMetrics(runId: string, count: number) {
  const options = extraction.optionsSchema.parse({});
  let state = extraction.aggregate.empty();
  for (let seq = 0; seq < count; seq++) {
    const checked = extraction.checkSample(sampleOf(seq));
    if (!checked.ok) throw new Error(checked.error);
    const answer = { ...emptyAnswer, output: outputOf(seq) };
    const { id, tags } = extraction.sampleHead(checked.value.sample);
    const score = extraction.score(checked.value.sample, answer, options);
    state = extraction.aggregate.add(state, { seq, id, tags, score, call: callOf(answer) });
  }
  const facts = { runId, options, prices: null, wallMs: null };
  return extraction.aggregate.finish(state, facts).metrics;
}
