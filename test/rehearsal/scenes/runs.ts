import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { replyOf } from "../cloud/data-plane.ts";
import { limitsOf, type Usage } from "../cloud/limits.ts";
import { bearer, type Findings, page } from "./scene.ts";

/** Runs of any length on invoices, with known results. */

export const HOST = "https://models.assay-rehearsal.com/v1";
export const CONCURRENCY = 200;

const sampleOf = (i: number) => ({
  id: `s${i}`,
  text: `Invoice ${i}.`,
  schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  expected_output: { n: i },
});

/** Every tenth answer is wrong; `shift` selects which. */
const outputOf = (i: number, shift = 0): string =>
  JSON.stringify({ n: (i + shift) % 10 === 0 ? -1 : i });

export const submittedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });
const runSchema = z.object({
  status: z.string(),
  statusReason: z.string().nullish(),
  metrics: z.record(z.string(), z.unknown()).nullish(),
});

/** Answers a request for one of these samples at once. */
export async function answered(request: Request): Promise<Response> {
  const i = Number(/Invoice (\d+)/.exec(await request.text())?.[1]);
  const message = { role: "assistant", content: outputOf(i) };
  const usage = { prompt_tokens: 20, completion_tokens: 5 };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  return replyOf(Response.json({ id: `c${i}`, object: "chat.completion", choices, usage }));
}

export const answersTo = (count: number, shift = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `s${i}`, output: outputOf(i, shift) }));

export const upload = (cloud: Cloud, count: number): Promise<void> =>
  uploadRows(
    cloud,
    `invoices-${count}`,
    Array.from({ length: count }, (_, i) => sampleOf(i)),
  );

/** Uploads samples as a public dataset of extraction. */
export async function uploadRows(
  cloud: Cloud,
  name: string,
  rows: readonly object[],
): Promise<void> {
  const query = `suite=extraction&name=${name}&visibility=public`;
  const uploaded = await page(cloud, `/v1/datasets?${query}`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/jsonl" },
    body: rows.map((row) => JSON.stringify(row)).join("\n"),
  });
  if (uploaded.status >= 300) throw new Error(uploaded.text.slice(0, 900));
}

/** Submits an endpoint or answers for the invoices; returns the run's id. */
export const submitted = (
  cloud: Cloud,
  count: number,
  name: string,
  more: object,
): Promise<string> =>
  submittedIn(cloud, {
    suite: "extraction",
    dataset: `invoices-${count}`,
    options: { concurrency: CONCURRENCY },
    models: [{ name, slug: `rehearsal/${name}`, simulated: true, ...more }],
  });

export async function submittedIn(cloud: Cloud, submission: object): Promise<string> {
  const reply = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ visibility: "public", ...submission }),
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

/** The metrics of submitted answers to `count` samples, aggregated in a single pass. */
export function expectedMetrics(runId: string, count: number) {
  const options = extraction.optionsSchema.parse({});
  let state = extraction.aggregate.empty(options);
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

export function withinLimits(
  findings: Findings,
  usage: readonly Usage[],
  plan: "free" | "paid",
): void {
  const most = (of: (one: Usage) => number) => Math.max(0, ...usage.map(of));
  const queries = most((one) => one.d1Queries);
  const asker = usage.find((one) => one.d1Queries === queries)?.of.replace(/[0-9a-f]{20,}/, "…");
  const requests = most((one) => one.internal);
  const message = most((one) => one.largestMessageBytes);
  const value = most((one) => one.largestValueBytes);
  const limits = limitsOf(plan);
  findings.add(
    `most in an invocation on the ${plan} plan: ${queries} D1 queries (${asker}), ${requests} requests to services, ${message} bytes of a message, ${value} of a value in D1`,
    () =>
      queries <= limits.d1Queries && requests <= limits.internal && message <= limits.messageBytes
        ? undefined
        : "more than it allows",
  );
}
