import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { far } from "../cloud/data-plane.ts";
import { publishedMs } from "./billing.ts";
import {
  answered,
  answersTo,
  CONCURRENCY,
  ended,
  expectedMetrics,
  HOST,
  submitted,
  upload,
  withinLimits,
} from "./runs.ts";
import {
  bearer,
  equal,
  type Findings,
  includes,
  NAME,
  onDeployed,
  page,
  type Scene,
} from "./scene.ts";

const LONG = 100_000;
/** Rows summed up in one invocation. */
const PIECE_ROWS = 10_000;
/** Samples that an endpoint answers before its run is deleted; enough that every lane has made its plan. */
const PARTLY = 10_000;
const progressSchema = z.object({ progress: z.object({ done: z.number() }) });

/** Runs that are too long to be read in one invocation, and everything that reads them after their end. */
export const pieceScenes: readonly Scene[] = [
  {
    name: `a run of ${LONG.toLocaleString("en")} samples, summed up in pieces`,
    isQuick: false,
    isLarge: true,
    play: () => onDeployed({ conditions: far }, longRuns),
  },
];

/** Only runs with the same prompt are compared. */
const promptHash = promptHashOf(extraction, extraction.optionsSchema.parse({}));

async function longRuns(cloud: Cloud, findings: Findings): Promise<void> {
  cloud.workers.outside = answered;
  await upload(cloud, LONG);
  const before = cloud.workers.usage.length;
  const sent = await submitted(cloud, LONG, "sent", { answers: answersTo(LONG), promptHash });
  const first = await ended(cloud, sent);
  findings.add("submitted answers: every metric and interval equals that of a single pass", () =>
    equal(first.metrics, expectedMetrics(sent, LONG)),
  );
  await inPieces(cloud, findings, { run: "the first run", before });
  await partly(cloud, findings);
  const between = cloud.workers.usage.length;
  const other = await submitted(cloud, LONG, "other", { answers: answersTo(LONG, 3), promptHash });
  await ended(cloud, other);
  await inPieces(cloud, findings, { run: "the second run", before: between });
  await readers(cloud, findings, [sent, other]);
  withinLimits(findings, cloud.workers.usage.slice(before), "paid");
}

/** Checks the number of invocations that summed up a run and ranked its board since `before`. */
async function inPieces(
  { workers }: Cloud,
  findings: Findings,
  { run, before }: { run: string; before: number },
) {
  // The last invocation ends shortly after the run.
  await setTimeout(publishedMs);
  const finishing = workers.usage.slice(before).filter(({ of }) => of === `${NAME}-finish`).length;
  const least = LONG / PIECE_ROWS;
  findings.add(
    `${run} and its board took ${finishing} invocations of the queue that sums up runs (at least ${least})`,
    () => (finishing >= least ? undefined : `${finishing}`),
  );
}

/** Runs part of a long run at an endpoint. Its lanes share one plan; otherwise an isolate exceeds its memory. */
async function partly(cloud: Cloud, findings: Findings) {
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const run = await submitted(cloud, LONG, "asked", { endpoint });
  let done = 0;
  while (done < PARTLY) {
    await setTimeout(1_000);
    const { text } = await page(cloud, `/v1/runs/${run}`, { headers: bearer });
    done = progressSchema.parse(JSON.parse(text)).progress.done;
  }
  await page(cloud, `/v1/runs/${run}/cancel`, { method: "POST", headers: bearer });
  const [at, of] = [PARTLY, LONG].map((count) => count.toLocaleString("en"));
  findings.add(
    `an endpoint: no isolate dies until ${at} of ${of} samples are done, ${CONCURRENCY} at once at most`,
    () => equal(cloud.workers.deaths, []),
  );
}

/** Checks everything that reads a whole run after its end. */
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
  findings.add("two such runs are compared on all samples", () =>
    includes(compared.text, `"samples":${LONG}`),
  );
}
