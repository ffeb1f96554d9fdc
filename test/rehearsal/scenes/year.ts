import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { root } from "../../../cli/local/root.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { answered, answersTo, ended, HOST, submitted, submittedSchema, upload } from "./runs.ts";
import {
  bearer,
  equal,
  type Findings,
  includes,
  NAME,
  onDeployed,
  page,
  rowsOf,
  type Scene,
} from "./scene.ts";

/** A year of a million samples per day at a scale of 1:1,000: one run per day, and a thousandth of the space. */
const WEEKS = 52;
const DAYS = 7;
/** Weeks between runs at an endpoint, which take longer here than submitted answers. */
const ASKED_WEEKS = 4;
const SAMPLES = 1_000;
const SCALE = 1_000;
const DATABASE_MB = 10_000 / SCALE;
const WEEK_MS = 7 * 86_400_000;
/** Cron runs after a quiet week that archive its runs. */
const CRONS = 3;
/** Maximum number of further submissions until the database is full. */
const MORE = 100;

export const yearScenes: readonly Scene[] = [
  {
    name: `a year at a million samples a day, at 1:${SCALE.toLocaleString("en")}, then a full database`,
    isQuick: false,
    isLarge: true,
    play: () =>
      onDeployed(
        { conditions: { crons: { skipped: 1 }, limits: { d1DatabaseBytes: DATABASE_MB * 1e6 } } },
        async (cloud, findings) => {
          cloud.workers.outside = answered;
          setVariable(cloud, "DATABASE_MAX_MB", `${DATABASE_MB}`);
          await upload(cloud, SAMPLES);
          const runs = await aYear(cloud);
          const largest = Math.max(...cloud.workers.usage.map((one) => one.d1DatabaseBytes)) / 1e6;
          findings.add(
            `${runs.length} runs and ${(runs.length * SAMPLES).toLocaleString("en")} samples: the database had ${largest.toFixed(1)} MB at most of ${DATABASE_MB}`,
            () => (largest < 0.8 * DATABASE_MB ? undefined : `${largest}`),
          );
          const left = await rowsOf(cloud, "SELECT count(*) AS n FROM runs WHERE archive IS NULL");
          findings.add("every run's rows are in R2", () => equal(left, [{ n: 0 }]));
          await archivedRuns(cloud, findings, runs);
          await untilFull(cloud, findings);
        },
      ),
  },
];

function setVariable(cloud: Cloud, name: string, text: string): void {
  const { metadata } = cloud.account.scripts.get(NAME)!;
  const bindings = (metadata.bindings ?? []).filter((one) => one.name !== name);
  metadata.bindings = [...bindings, { name, type: "plain_text", text }];
  cloud.workers.changed();
}

/** Submits the runs of a year: seven models per week; every fourth week the first one is an endpoint. Oldest first. */
async function aYear(cloud: Cloud): Promise<string[]> {
  const all: string[] = [];
  for (let week = 0; week < WEEKS; week++) {
    const runs = await Promise.all(
      Array.from({ length: DAYS }, (_, day) =>
        day === 0 && week % ASKED_WEEKS === 0
          ? submitted(cloud, SAMPLES, "asked", { endpoint })
          : submitted(cloud, SAMPLES, `model-${day}`, { answers: answersTo(SAMPLES, day) }),
      ),
    );
    await Promise.all(runs.map((run) => ended(cloud, run)));
    all.push(...runs);
    await quietWeek(cloud);
  }
  return all;
}

const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };

async function quietWeek(cloud: Cloud): Promise<void> {
  await cloud.workers.pass(WEEK_MS);
  for (let i = 0; i < CRONS; i++) await cloud.workers.cron(NAME, "* * * * *");
}

/** Checks everything that reads a run whose rows have been archived. */
async function archivedRuns(cloud: Cloud, findings: Findings, runs: readonly string[]) {
  const [first = ""] = runs;
  const next = runs[ASKED_WEEKS * DAYS] ?? "";
  const get = (path: string) => page(cloud, path, { headers: bearer });
  const { text } = await get(`/v1/runs/${first}/samples?limit=200`);
  const listed = (JSON.parse(text) as { samples: unknown[] }).samples.length;
  findings.add("the oldest run lists its samples", () => equal(listed, 200));
  for (const file of ["samples.csv", "answers.jsonl"]) {
    const { text: lines } = await get(`/v1/runs/${first}/${file}`);
    const count = lines.trimEnd().split("\n").length - Number(file.endsWith(".csv"));
    findings.add(`its ${file} has a line for each sample`, () => equal(count, SAMPLES));
  }
  let compared = await get(`/v1/compare?runs=${[first, next].sort().join()}`);
  while (compared.status === 202) {
    await setTimeout(1_000);
    compared = await get(`/v1/compare?runs=${[first, next].sort().join()}`);
  }
  findings.add("it is compared with the model's next run on all samples", () =>
    includes(compared.text, `"samples":${SAMPLES}`),
  );
  const again = await page(cloud, `/v1/runs/${first}/rescore`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ options: { caseSensitive: false } }),
  });
  const rescored = submittedSchema.safeParse(JSON.parse(again.text));
  const [before, after] = [
    await ended(cloud, first),
    rescored.success && (await ended(cloud, rescored.data.runs[0]!.id)),
  ];
  findings.add("rescored by a rule that changes no sample's score, it has the same score", () =>
    rescored.success
      ? equal(after && scoreOf(after.metrics?.["eqs"]), scoreOf(before.metrics?.["eqs"]))
      : again.text.slice(0, 300),
  );
  const history = await get(`/v1/models/rehearsal/asked/history?suite=extraction`);
  const points = z
    .object({
      histories: z.array(z.object({ points: z.array(z.object({ run: z.string() }).loose()) })),
    })
    .parse(JSON.parse(history.text))
    .histories.reduce((most, one) => Math.max(most, one.points.length), 0);
  findings.add(`the history of the model has ${points} runs, watched for drift`, () =>
    points >= WEEKS / ASKED_WEEKS && history.text.includes('"eValue":')
      ? undefined
      : history.text.slice(0, 300),
  );
  const verified = await verify(cloud, first);
  findings.add("assay verify recomputes its numbers from the served data", () =>
    verified.code === 0 ? undefined : verified.text.slice(-600),
  );
}

const scoreOf = (metric: unknown) => (metric as { value?: unknown } | undefined)?.value;

async function verify(cloud: Cloud, run: string): Promise<{ code: number; text: string }> {
  const args = [
    "cli/assay.mjs",
    "verify",
    run,
    "--server",
    `https://${NAME}.rehearsal.workers.dev`,
  ];
  const call = promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...cloud.env },
  });
  return call.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  );
}

/** Submits runs faster than their rows can be archived until one is refused; then waits a quiet week. */
async function untilFull(cloud: Cloud, findings: Findings): Promise<void> {
  const accepted: string[] = [];
  let refusal = "";
  while (refusal === "" && accepted.length < MORE) {
    await submitted(cloud, SAMPLES, `more-${accepted.length}`, {
      answers: answersTo(SAMPLES),
    }).then(
      (run) => accepted.push(run),
      (error: Error) => {
        refusal = error.message;
      },
    );
  }
  findings.add(`run ${accepted.length + 1} of one day is refused, since the database is full`, () =>
    includes(refusal, "the database is full"),
  );
  const ends = await Promise.all(accepted.map(async (run) => (await ended(cloud, run)).metrics));
  findings.add("all accepted runs end with their metrics", () =>
    equal(ends.filter((metrics) => metrics != null).length, accepted.length),
  );
  await quietWeek(cloud);
  await quietWeek(cloud);
  const next = await submitted(cloud, SAMPLES, "next", { answers: answersTo(SAMPLES) }).catch(
    (error: Error) => error.message,
  );
  findings.add("after a quiet week runs are accepted again", () =>
    next.startsWith("run_") ? undefined : next,
  );
}
