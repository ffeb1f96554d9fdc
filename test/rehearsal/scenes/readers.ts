import { setImmediate } from "node:timers/promises";
import type { Cloud } from "../cloud/cloud.ts";
import { EdgeCache } from "../cloud/edge-cache.ts";
import { outage, withdrawn } from "./old-reads.ts";
import {
  addStyles,
  type Kinds,
  kindsOf,
  LEADERBOARD,
  LOCATIONS,
  MINUTE,
  published,
  type Runs,
  read,
  renew,
  type Seen,
} from "./public-reads.ts";
import { bearer, equal, type Findings, onDeployed, type Scene } from "./scene.ts";

const D1_MS = 150;
const OWN = "private, no-cache";
const NONE = "no-store";

/** Readers send five requests per second for ten minutes, one after the other. */
const ROUNDS = 120;
const ROUND_MS = 5_000;
const IN_ROUND = 25;
/** Maximum p99 of the time of hits. */
const P99_MS = 20;
/**
 * Hits are timed only in rounds in which the machine answered each trivial request within this time; at least a quarter
 * of the rounds. In the other rounds, something else used the processor.
 */
const QUIET_MS = 5;
const QUIET_ROUNDS = ROUNDS / 4;
/** Minimum hit rate of cacheable reads; the misses are the first reads of each kind. */
const HIT_RATE = 0.95;

export const readerScenes: readonly Scene[] = [
  {
    name: "public reads at the edge",
    isQuick: false,
    isLarge: true,
    plays: "promptly",
    play: () =>
      onDeployed(
        { conditions: { distances: { d1: D1_MS, r2: 0, queues: 0 } } },
        async (cloud, findings) => {
          addStyles(cloud);
          const runs = await published(cloud);
          const kinds = await kindsOf(cloud);
          await cached(cloud, kinds, findings);
          await neverCached(cloud, kinds, runs, findings);
          await limited(cloud, findings);
          await newVersion(cloud, kinds, findings);
          await readers(cloud, kinds, runs, findings);
          await outage(cloud, kinds, findings);
          await withdrawn(cloud, runs, findings);
        },
      ),
  },
];

async function cached(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  const wrong: unknown[] = [];
  for (const [what, { path, control }] of Object.entries(kinds)) {
    const seen: unknown[] = [];
    for (const location of ["FRA", "FRA", "SIN"]) {
      const reply = await read(cloud, path, {}, location);
      seen.push([reply.status, reply.cache, reply.control]);
    }
    const wanted = ["MISS", "HIT", "HIT"].map((cache) => [200, cache, control]);
    if (equal(seen, wanted) !== undefined) wrong.push([what, seen]);
  }
  const names = Object.keys(kinds);
  findings.add(
    `the second read of each of ${names.length} kinds is a HIT, there and elsewhere, with the documented Cache-Control: ${names.join(", ")}`,
    () => equal(wrong, []),
  );
}

/** Checks that replies which depend on a key, the time or a secret URL are never cached. */
async function neverCached(
  cloud: Cloud,
  kinds: Kinds,
  { first, unlisted }: Runs,
  findings: Findings,
): Promise<void> {
  const wrong: unknown[] = [];
  const readTwice = async (path: string, control: string, headers = {}) => {
    await read(cloud, path, headers);
    const reply = await read(cloud, path, headers);
    if (reply.cache !== "BYPASS" || reply.control !== control) wrong.push([path, reply]);
  };
  const ofRuns = [first, unlisted].flatMap((id) =>
    ["", "/report", "/samples", "/samples.csv"].map((part) => `/v1/runs/${id}${part}`),
  );
  const own = [...ofRuns, "/v1/snapshot"];
  const absent = ["/v1/runs/none", "/v1/boards/none", "/v1/datasets?limit=0", "/nowhere"];
  const none = [...absent, "/v1/keys", "/healthz"];
  const keyed = Object.values(kinds).filter(({ path }) => path.startsWith("/v1/"));
  for (const path of own) await readTwice(path, OWN);
  for (const path of none) await readTwice(path, NONE);
  for (const { path } of keyed) await readTwice(path, OWN, bearer);
  findings.add(
    `never cached: ${own.length} reads of runs, of an unlisted run and of the newest snapshot, ${none.length} errors and the like, ${keyed.length} with a key`,
    () => equal(wrong, []),
  );
  const { cache, control } = await read(cloud, LEADERBOARD);
  findings.add("readers with a key do not change the cached reply", () =>
    equal([cache, control], ["HIT", MINUTE]),
  );
}

/** More than LIMIT_WRITES of wrangler.toml allows in two periods, in case a new period starts in between. */
const WRITES = 130;

async function limited(cloud: Cloud, findings: Findings): Promise<void> {
  const write = async (location: string) => {
    const headers = { "cf-connecting-ip": "192.0.2.77", "content-type": "application/json" };
    const init = { method: "POST", body: "{}", headers };
    const reply = (await cloud.workers.fetch(`${cloud.origin}/v1/submissions`, init, location))!;
    await reply.text();
    return { status: reply.status, wait: reply.headers.get("retry-after") };
  };
  const [here = "", there = ""] = LOCATIONS;
  const all = await Promise.all(Array.from({ length: WRITES }, () => write(here)));
  const refused = all.filter(({ status }) => status === 429);
  findings.add(
    `a caller's ${WRITES} writes at one location are too many: some get 429 with Retry-After`,
    () => equal([refused.length > 0, refused[0]?.wait], [true, "10"]),
  );
  const { status } = await write(there);
  findings.add("the same caller may write at another location, which counts separately", () =>
    status === 429 ? "429" : undefined,
  );
}

async function newVersion(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  renew(cloud);
  const all = Object.values(kinds).map(async ({ path }) => (await read(cloud, path)).cache);
  const caches = new Set(await Promise.all(all));
  findings.add("a new version of the Worker starts with an empty cache", () =>
    equal([...caches], ["MISS"]),
  );
}

/** Twenty reads in their typical mix; the last two are never cached. */
const MIX: readonly string[] = [
  ...Array<string>(5).fill("badge"),
  "badge for shields.io",
  ...Array<string>(3).fill("leaderboard"),
  ...Array<string>(5).fill("home page"),
  "board",
  "CSV",
  "history",
  "datasets",
  "run",
  "with a key",
];
const MIX_TEXT = "badges 33%, boards and their CSV 28%, pages 28%, histories and lists 11%";

async function readers(
  cloud: Cloud,
  kinds: Kinds,
  { first }: Runs,
  findings: Findings,
): Promise<void> {
  renew(cloud);
  const seen: (Seen & { isCacheable: boolean; round: number })[] = [];
  const yardstick = trivial();
  /** Longest time of a trivial reply in each round. */
  const trivialMs = Array<number>(ROUNDS).fill(0);
  const readOne = async (i: number, round: number) => {
    const what = MIX[i % MIX.length]!;
    const path = what === "run" ? `/v1/runs/${first}` : (kinds[what]?.path ?? LEADERBOARD);
    const headers = what === "with a key" ? bearer : {};
    const location = LOCATIONS[Math.floor(i / MIX.length) % LOCATIONS.length];
    const reply = await read(cloud, path, headers, location);
    seen.push({ isCacheable: what in kinds, round, ...reply });
    trivialMs[round] = Math.max(trivialMs[round]!, await yardstick());
  };
  for (let round = 0; round < ROUNDS; round++) {
    const reads: Promise<void>[] = [];
    for (let i = 0; i < IN_ROUND; i++) {
      reads.push(readOne(round * IN_ROUND + i, round));
      await setImmediate();
    }
    await Promise.all(reads);
    await cloud.workers.pass(ROUND_MS);
  }
  const hits = seen.filter(isHit);
  hitRate(hits.length, seen, findings);
  const quiet = new Set(trivialMs.flatMap((ms, round) => (ms <= QUIET_MS ? [round] : [])));
  const timed = hits.filter(({ round }) => quiet.has(round));
  hitTimes(timed, { rounds: quiet.size, others: seen.filter((one) => !isHit(one)) }, findings);
  const failed = seen.filter(({ status }) => status !== 200);
  findings.add("every reader gets a reply", () => equal(failed, []));
}

const isHit = ({ cache }: Seen) => cache === "HIT" || cache === "UPDATING";

function hitRate(
  hits: number,
  seen: readonly { isCacheable: boolean }[],
  findings: Findings,
): void {
  const cacheable = seen.filter(({ isCacheable }) => isCacheable).length;
  const rate = hits / cacheable;
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  findings.add(
    `hit rate ${percent(rate)} (at least ${percent(HIT_RATE)}) of ${cacheable} reads (${MIX_TEXT}), five a second from ${LOCATIONS.length} locations in the ten minutes after a deployment; ${percent(hits / seen.length)} if a tenth of all reads is of runs or has a key`,
    () => (rate >= HIT_RATE ? undefined : percent(rate)),
  );
}

function hitTimes(
  hits: readonly Seen[],
  { rounds, others }: { rounds: number; others: readonly Seen[] },
  findings: Findings,
): void {
  const times = (all: readonly Seen[]) => all.map(({ ms }) => ms);
  const p99 = quantile(times(hits), 0.99);
  const median = quantile(times(others), 0.5);
  findings.add(
    `99% of hits take at most ${p99.toFixed(1)} ms (at most ${P99_MS}), in the ${rounds} of ${ROUNDS} rounds (at least ${QUIET_ROUNDS}) in which this machine answered ${IN_ROUND} trivial requests within ${QUIET_MS} ms each; half of the Worker's replies take at least ${median.toFixed(0)} ms, D1 at ${D1_MS} ms`,
    () => (p99 <= P99_MS && rounds >= QUIET_ROUNDS ? undefined : `${p99} ms, ${rounds} rounds`),
  );
}

/** Returns a function that reads two bytes from a separate cache and measures the time, ms. */
function trivial(): () => Promise<number> {
  const cache = new EdgeCache(Date.now);
  const asked = { key: "trivial", location: LOCATIONS[0], init: {} };
  const headers = { "cache-control": "public, max-age=3600" };
  return async () => {
    const begun = performance.now();
    await (await cache.fetch(asked, async () => new Response("ok", { headers }))).text();
    return performance.now() - begun;
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}
