import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { root } from "../../../cli/local/root.ts";
import { startSimulator } from "../../../simulator/start-simulator.ts";
import { numberedSamples } from "../../faults/support/numbered-samples.ts";
import { checkout } from "../checkout.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { replyOf } from "../cloud/data-plane.ts";
import { HOST, submittedIn, uploadRows } from "./runs.ts";
import {
  bearer,
  deploy,
  equal,
  type Findings,
  includes,
  NAME,
  onDeployed,
  page,
  rowsOf,
  type Scene,
} from "./scene.ts";

const AWAY_MS = 600_000;
/** Maximum time until runs continue after an outage: a cron run plus the longest wait between retries. */
const BACK_MS = 120_000;
const SAMPLES = 300;
const CONCURRENCY = 20;
const LATENCY_MS = 2_000;
/** Maximum number of answers that a death loses: those in flight, and those of the 5 s since the last save. */
const LOST_A_DEATH = CONCURRENCY * (1 + 5_000 / LATENCY_MS);
const rows = numberedSamples(SAMPLES, 2_000);

const runSchema = z.object({
  status: z.string(),
  statusReason: z.string().nullable(),
  progress: z.object({ done: z.number(), failed: z.number() }),
  metrics: z.object({ eqs: z.object({ value: z.number(), n: z.number() }) }).nullish(),
});

/** Runs `play` with a model outside the Workers that counts its requests. */
async function withModel(cloud: Cloud, play: (asked: () => number) => Promise<void>) {
  const simulator = await startSimulator({ datasets: [rows] });
  let asked = 0;
  cloud.workers.outside = async (request) => {
    asked += 1;
    const url = request.url.replace("https://models.assay-rehearsal.com", simulator.url);
    const init = { method: request.method, headers: request.headers, body: await request.text() };
    return replyOf(await fetch(url, init));
  };
  try {
    await play(() => asked);
  } finally {
    await simulator.close();
  }
}

const json = { ...bearer, "content-type": "application/json" };

const submission = (slug: string) => ({
  suite: "extraction",
  dataset: "outage",
  options: { concurrency: CONCURRENCY },
  models: [
    {
      name: slug,
      slug,
      simulated: true,
      endpoint: { baseUrl: HOST, model: `sim-perfect?latency=${LATENCY_MS}`, apiKey: "any" },
    },
  ],
});

async function begun(cloud: Cloud, slug = "rehearsal/outage"): Promise<string> {
  await uploadRows(cloud, "outage", rows);
  return submittedIn(cloud, submission(slug));
}

async function stateOf(cloud: Cloud, run: string) {
  const { status, text } = await page(cloud, `/v1/runs/${run}`, { headers: bearer });
  return status === 200 ? runSchema.parse(JSON.parse(text)) : null;
}

type RunState = z.infer<typeof runSchema>;

async function until(
  cloud: Cloud,
  run: string,
  isSo: (state: RunState) => boolean,
  withinMs: number,
) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const state = await stateOf(cloud, run);
    if (state !== null && isSo(state)) return state;
    if (Date.now() > deadline) return state;
    await setTimeout(1_000);
  }
}

const halfway = ({ progress }: RunState) => progress.done >= SAMPLES / 5;
const isOver = ({ status }: RunState) => status === "finished" || status === "failed";
const RUN_MS = 900_000;

async function one(cloud: Cloud, sql: string): Promise<unknown> {
  const [row] = await rowsOf(cloud, sql);
  return Object.values(row ?? {})[0];
}

/** Checks that every sample has a row, and that its answer is in the row's object. */
async function nothingLost(cloud: Cloud, findings: Findings, run: string) {
  const ended = await until(cloud, run, isOver, RUN_MS);
  findings.add("the run ends with every sample, none of them failed", () =>
    equal(
      [ended?.status, ended?.statusReason, ended?.metrics?.eqs, ended?.progress.failed],
      ["finished", null, { ...ended?.metrics?.eqs, value: 1, n: SAMPLES }, 0],
    ),
  );
  const kept = await page(cloud, `/v1/runs/${run}/answers.jsonl`, { headers: bearer });
  findings.add("every answer is stored", () =>
    equal(kept.text.trimEnd().split("\n").length, SAMPLES),
  );
}

/** Checks that a run continues after an outage. */
async function continues(cloud: Cloud, findings: Findings, run: string) {
  const back = Date.now();
  const stood = Number(await one(cloud, "SELECT done FROM runs"));
  const goesOn = ({ progress }: RunState) => progress.done > stood;
  const state = await until(cloud, run, goesOn, BACK_MS);
  const seconds = (Date.now() - back) / 1_000;
  findings.add(
    `the run continues by itself, ${seconds.toFixed(0)} s after the end (at most ${BACK_MS / 1_000})`,
    () => (state !== null && goesOn(state) ? undefined : JSON.stringify(state)),
  );
}

function askedOnce(findings: Findings, asked: () => number) {
  const again = asked() - SAMPLES;
  findings.add(`${again} of ${SAMPLES} answers were asked for again (at most 0)`, () =>
    again === 0 ? undefined : `${again}`,
  );
}

/** Sends requests during an outage; returns the distinct answers. */
async function replies(awayMs: number, ask: () => Promise<string[]>) {
  const end = Date.now() + awayMs;
  const seen = new Set<string>();
  while (Date.now() < end - 5_000) {
    for (const reply of await ask()) seen.add(reply);
    await setTimeout(3_000);
  }
  await setTimeout(Math.max(0, end - Date.now()));
  return [...seen].sort();
}

const problemOf = ({ status, text }: { status: number; text: string }): string =>
  `${status} ${/"type":"[^"]*\/([a-z-]+)\/"/.exec(text)?.[1] ?? text.slice(0, 60)}`;

const away: Scene = {
  name: "D1 unavailable for ten minutes during a run",
  isQuick: false,
  plays: "first",
  play: () =>
    onDeployed({}, async (cloud, findings) => {
      await withModel(cloud, async (asked) => {
        const run = await begun(cloud);
        await until(cloud, run, halfway, RUN_MS);
        const board = "/v1/leaderboard?suite=extraction&dataset=outage";
        const before = await page(cloud, board);
        const runs = await one(cloud, "SELECT count(*) FROM runs");
        await cloud.workers.fail("d1", AWAY_MS);
        const seen = await replies(AWAY_MS, async () => [
          `run: ${problemOf(await page(cloud, `/v1/runs/${run}`, { headers: bearer }))}`,
          `submission: ${problemOf(await page(cloud, "/v1/submissions", { method: "POST", headers: json, body: JSON.stringify(submission("rehearsal/late")) }))}`,
          `board: ${(await page(cloud, board)).text === before.text ? "as before" : "other"}`,
          `site: ${(await page(cloud, "/")).status}`,
        ]);
        findings.add("the API reports the outage, and public pages stay available", () =>
          equal(seen, [
            "board: as before",
            "run: 503 unavailable",
            "site: 200",
            "submission: 503 unavailable",
          ]),
        );
        await continues(cloud, findings, run);
        await nothingLost(cloud, findings, run);
        askedOnce(findings, asked);
        const after = await one(cloud, "SELECT count(*) FROM runs");
        findings.add("no submission during the outage is partly stored", () => equal(after, runs));
        const most = Math.max(...cloud.workers.usage.map((use) => use.d1Queries));
        findings.add(`${most} D1 queries in an invocation (at most 1,000)`, () =>
          most <= 1_000 ? undefined : `${most}`,
        );
      });
    }),
};

const refusing: Scene = {
  name: "R2 refusing writes for ten minutes during a run",
  isQuick: false,
  plays: "first",
  play: () =>
    onDeployed({}, async (cloud, findings) => {
      await withModel(cloud, async (asked) => {
        const run = await begun(cloud);
        await until(cloud, run, halfway, RUN_MS);
        await cloud.workers.fail("r2", AWAY_MS);
        const seen = await replies(AWAY_MS, async () => [
          `run: ${(await page(cloud, `/v1/runs/${run}`, { headers: bearer })).status}`,
          `site: ${(await page(cloud, "/")).status}`,
        ]);
        findings.add("reads stay available", () => equal(seen, ["run: 200", "site: 200"]));
        await continues(cloud, findings, run);
        await nothingLost(cloud, findings, run);
        askedOnce(findings, asked);
      });
    }),
};

const dying: Scene = {
  name: "an isolate that dies twice with active lanes",
  isQuick: false,
  play: () =>
    onDeployed({}, async (cloud, findings) => {
      await withModel(cloud, async (asked) => {
        const run = await begun(cloud);
        for (const share of [0.2, 0.5]) {
          await until(cloud, run, ({ progress }) => progress.done >= share * SAMPLES, RUN_MS);
          await cloud.workers.kill();
        }
        await nothingLost(cloud, findings, run);
        const again = asked() - SAMPLES;
        findings.add(
          `${again} of ${SAMPLES} answers were asked for again (at most ${2 * LOST_A_DEATH})`,
          () => (again <= 2 * LOST_A_DEATH ? undefined : `${again}`),
        );
      });
    }),
};

/** Runs the real wrangler and returns its output. */
async function wrangler(cloud: Cloud, ...args: string[]): Promise<string> {
  const bin = join(root, "node_modules", ".bin", "wrangler");
  const env = { ...process.env, ...cloud.env, CLOUDFLARE_ACCOUNT_ID: cloud.account.id, CI: "1" };
  const call = promisify(execFile)(bin, args, { cwd: tmpdir(), env });
  const { stdout, stderr } = await call.catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`;
}

const statementSchema = z.object({
  statement: z.object({ finishedAt: z.string() }),
  signature: z.string(),
});

async function statementOf(cloud: Cloud, run: string) {
  for (const begun = Date.now(); ; await setTimeout(1_000)) {
    const { status, text } = await page(cloud, `/v1/runs/${run}/statement`, { headers: bearer });
    if (status === 200) return statementSchema.parse(JSON.parse(text));
    if (Date.now() - begun > 60_000) throw new Error(`no statement of ${run}: ${text}`);
  }
}

const snapshotSchema = z.object({
  runs: z.array(z.object({ hash: z.string(), items: z.number() })),
});

/** Waits for the snapshot and counts the runs it lists; each of its pages must be in the bucket. */
async function listedRuns(cloud: Cloud): Promise<string> {
  for (let look = 0; look < 60; look++) {
    const { status, text } = await page(cloud, "/v1/snapshot");
    if (status === 200) {
      const { runs } = snapshotSchema.parse(JSON.parse(text));
      const bucket = [...cloud.account.buckets.keys()][0] ?? "";
      for (const { hash } of runs) {
        const kept = await cloud.workers.getObject(bucket, `snapshot/pages/${hash}.json`);
        if (kept === null) return `page ${hash} is missing`;
      }
      const items = runs.reduce((sum, { items: count }) => sum + count, 0);
      if (items > 0) return `${items} listed`;
    }
    await setTimeout(2_000);
  }
  return "no snapshot";
}

const restored: Scene = {
  name: "the database restored to the middle of a run, with a newer bucket",
  isQuick: false,
  play: () =>
    onDeployed({}, async (cloud, findings) => {
      await withModel(cloud, async () => {
        const run = await begun(cloud);
        await until(cloud, run, halfway, RUN_MS);
        const told = await wrangler(cloud, "d1", "time-travel", "info", NAME);
        const bookmark = /--bookmark=(\S+?)\W*$/m.exec(told)?.[1] ?? "";
        await until(cloud, run, isOver, RUN_MS);
        const before = await statementOf(cloud, run);
        const later = await begun(cloud, "rehearsal/later");
        await until(cloud, later, isOver, RUN_MS);
        const printed = await wrangler(
          cloud,
          "d1",
          "time-travel",
          "restore",
          NAME,
          "--bookmark",
          bookmark,
        );
        findings.add("wrangler restores the database", () => includes(printed, "restored back to"));
        const fresh = checkout();
        try {
          const args = ["--plan", "paid", "--yes", "--restored"];
          const { code, text } = await deploy(cloud, fresh, NAME, args).ended;
          findings.add("npm run deploy -- --restored succeeds", () =>
            code === 0 ? includes(text, "active runs continue") : text.slice(-600),
          );
        } finally {
          fresh.remove();
        }
        await nothingLost(cloud, findings, run);
        const after = await statementOf(cloud, run).catch(String);
        findings.add("the statement has the run's new end", () => {
          if (typeof after === "string") return after;
          const isLater = after.statement.finishedAt > before.statement.finishedAt;
          return isLater ? undefined : "the earlier one";
        });
        const gone = await page(cloud, `/v1/runs/${later}`, { headers: bearer });
        findings.add("a run submitted after that moment is gone", () => equal(gone.status, 404));
        const listed = await listedRuns(cloud);
        findings.add("all public results are published again", () => equal(listed, "1 listed"));
      });
    }),
};

const upgraded: Scene = {
  name: "an upgrade with a migration while a run is active, and back",
  isQuick: false,
  play: () =>
    onDeployed({}, async (cloud, findings) => {
      const fresh = checkout();
      const migration = join(fresh.folder, "migrations", "9999_of_a_later_release.sql");
      try {
        await withModel(cloud, async () => {
          const run = await begun(cloud);
          await until(cloud, run, halfway, RUN_MS);
          writeFileSync(migration, "ALTER TABLE `runs` ADD `remark` text;\n");
          const next = await deploy(cloud, fresh).ended;
          findings.add("the upgrade succeeds", () =>
            next.code === 0 ? undefined : next.text.slice(-600),
          );
          const other = await begun(cloud, "rehearsal/upgraded");
          await until(cloud, other, halfway, RUN_MS);
          rmSync(migration);
          const refused = await deploy(cloud, fresh).ended;
          findings.add("the earlier release is refused with the remedy", () =>
            refused.code === 2 ? includes(refused.text, "add --rollback") : `${refused.code}`,
          );
          const versions = [...cloud.account.scripts.values()].map(({ version }) => version);
          const printed = await wrangler(cloud, "rollback", "--name", NAME, "--yes");
          findings.add("wrangler rollback restores the Worker's earlier version", () =>
            includes(printed, "has been deployed to 100% of traffic"),
          );
          const now = [...cloud.account.scripts.values()].map(({ version }) => version);
          findings.add("and no other Worker's", () =>
            equal(now.filter((version, i) => version !== versions[i]).length, 1),
          );
          await nothingLost(cloud, findings, run);
          await nothingLost(cloud, findings, other);
        });
      } finally {
        fresh.remove();
      }
    }),
};

export const outageScenes: readonly Scene[] = [away, refusing, dying, restored, upgraded];
