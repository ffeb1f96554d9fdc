import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { KEYS_PATH } from "../../../shared/contracts/boards/result-statement.ts";
import { snapshotRootSchema } from "../../../shared/contracts/boards/snapshot.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { EdgeCache } from "../cloud/edge-cache.ts";
import { answered, answersTo, ended, HOST, submitted, submittedIn, upload } from "./runs.ts";
import { bearer, equal, type Findings, NAME, onDeployed, page, type Scene } from "./scene.ts";

const SAMPLES = 20;
const D1_MS = 150;
const DATASET = `invoices-${SAMPLES}`;
const QUERY = `suite=extraction&dataset=${DATASET}`;
const LOCATIONS = ["FRA", "IAD", "SIN", "GRU", "JNB"] as const;
const ELSEWHERE = "SIN";

/** As docs/deployment.md has them, "What is cached". */
const MINUTE = "public, max-age=30, stale-while-revalidate=30, stale-if-error=3600";
const FIVE_MINUTES = "public, max-age=240, stale-while-revalidate=60, stale-if-error=3600";
/** Of browsers; Cloudflare caches pages for a minute. */
const PAGE = "public, max-age=0, must-revalidate";
const OWN = "private, no-cache";
const NONE = "no-store";
const MAX_AGE_MS = { [MINUTE]: 60_000, [FIVE_MINUTES]: 300_000 };
const OUTAGE_MS = 3_600_000;
/** The longest maximum age. */
const OLDEST_MS = MAX_AGE_MS[FIVE_MINUTES];

/** Readers come for so long, so many at once. */
const ROUNDS = 120;
const ROUND_MS = 5_000;
const AT_ONCE = 25;
const P99_MS = 20;
/** Of reads of what is cached. */
const HIT_RATE = 0.9;

interface Kind {
  path: string;
  control: string;
  /** Cannot be answered without the database. */
  isOfD1?: true;
}

type Kinds = Record<string, Kind>;

export const readerScenes: readonly Scene[] = [
  {
    name: "public reads at the edge",
    isQuick: false,
    play: () =>
      onDeployed(
        { conditions: { distances: { d1: D1_MS, r2: 0, queues: 0 } } },
        async (cloud, findings) => {
          const runs = await published(cloud);
          const kinds = await kindsOf(cloud);
          await cached(cloud, kinds, findings);
          await neverCached(cloud, kinds, runs, findings);
          await readers(cloud, kinds, runs.first, findings);
          await newVersion(cloud, kinds, findings);
          await outage(cloud, kinds, findings);
          await withdrawn(cloud, runs, findings);
        },
      ),
  },
];

interface Seen {
  status: number;
  cache: string | null;
  control: string | null;
  text: string;
  ms: number;
}

async function read(
  cloud: Cloud,
  path: string,
  headers: Record<string, string> = {},
  location: string = LOCATIONS[0],
): Promise<Seen> {
  const begun = performance.now();
  const url = `https://${NAME}.rehearsal.workers.dev${path}`;
  const reply = await cloud.workers.fetch(url, { headers }, location);
  const text = (await reply?.text()) ?? "";
  const ms = performance.now() - begun;
  const said = (name: string) => reply?.headers.get(name) ?? null;
  const [cache, control] = [said("cf-cache-status"), said("cache-control")];
  return { status: reply?.status ?? 0, cache, control, text, ms };
}

type Runs = Awaited<ReturnType<typeof published>>;

const PUBLIC_RUNS = 3;

/** Three public runs on a board, and an unlisted one. */
async function published(cloud: Cloud) {
  await upload(cloud, SAMPLES);
  cloud.workers.outside = answered;
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const run = (name: string, shift: number) =>
    submitted(cloud, SAMPLES, name, { answers: answersTo(SAMPLES, shift) });
  const [first, second, third, unlisted] = await Promise.all([
    submitted(cloud, SAMPLES, "first", { endpoint }),
    run("second", 1),
    run("third", 2),
    submittedIn(cloud, {
      suite: "extraction",
      dataset: DATASET,
      visibility: "unlisted",
      models: [{ name: "secret", slug: "rehearsal/secret", answers: answersTo(SAMPLES) }],
    }),
  ]);
  await Promise.all([first, second, third, unlisted].map((id) => ended(cloud, id)));
  await until(async () => {
    const board = await read(cloud, `/v1/leaderboard?${QUERY}`, bearer);
    const items = (await indexOf(cloud)).reduce((sum, one) => sum + one.items, 0);
    return (board.text.match(/"slug":/g)?.length ?? 0) === PUBLIC_RUNS && items === PUBLIC_RUNS;
  });
  return { first, second, third, unlisted };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 60; looks++) {
    if (await isSo()) return;
    await setTimeout(500);
  }
  throw new Error("it was waited for in vain");
}

/** Pages of the newest snapshot that list runs. */
async function indexOf(cloud: Cloud) {
  const { status, text } = await read(cloud, "/v1/snapshot");
  return status === 200 ? snapshotRootSchema.parse(JSON.parse(text)).runs : [];
}

/** What everybody reads alike. */
async function kindsOf(cloud: Cloud): Promise<Kinds> {
  const { text } = await read(cloud, `/v1/leaderboard?${QUERY}`, bearer);
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(text));
  const [first] = await indexOf(cloud);
  const minute = (path: string) => ({ path, control: MINUTE });
  return {
    leaderboard: { ...minute(`/v1/leaderboard?${QUERY}`), isOfD1: true },
    CSV: { ...minute(`/v1/leaderboard.csv?${QUERY}`), isOfD1: true },
    board: { ...minute(`/v1/boards/${id}`), isOfD1: true },
    history: { ...minute("/v1/models/rehearsal/first/history?suite=extraction"), isOfD1: true },
    datasets: { ...minute("/v1/datasets?limit=20"), isOfD1: true },
    suites: minute("/v1/suites"),
    OpenAPI: minute("/v1/openapi.json"),
    keys: minute(KEYS_PATH),
    badge: { path: "/badge/rehearsal/first.svg", control: FIVE_MINUTES, isOfD1: true },
    "badge for shields.io": {
      path: "/badge/rehearsal/first.json",
      control: FIVE_MINUTES,
      isOfD1: true,
    },
    "page of the snapshot": {
      path: `/v1/snapshot/pages/${first?.hash}`,
      control: FIVE_MINUTES,
    },
    "home page": { path: "/", control: PAGE },
  };
}

async function cached(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  const wrong: unknown[] = [];
  for (const [what, { path, control }] of Object.entries(kinds)) {
    const first = await read(cloud, path);
    const again = await read(cloud, path);
    const elsewhere = await read(cloud, path, {}, ELSEWHERE);
    const seen = [first, again, elsewhere].map((one) => `${one.status} ${one.cache}`);
    const wanted = ["200 MISS", "200 HIT", "200 HIT"];
    if (equal(seen, wanted) !== undefined) wrong.push([what, seen]);
    const controls = [first.control, again.control];
    if (equal(controls, [control, control]) !== undefined) wrong.push([what, controls]);
  }
  const count = Object.keys(kinds).length;
  findings.add(
    `${count} kinds of reads are a HIT the second time, there and elsewhere, with the Cache-Control that is documented: ${Object.keys(kinds).join(", ")}`,
    () => equal(wrong, []),
  );
}

/** What a key, a time or a secret address decides; each also where the same is cached for others. */
async function neverCached(
  cloud: Cloud,
  kinds: Kinds,
  { first, unlisted }: Runs,
  findings: Findings,
): Promise<void> {
  const ofRun = (id: string) =>
    ["", "/report", "/samples", "/samples.csv"].map((part) => [`/v1/runs/${id}${part}`, OWN]);
  const reads = [
    ...ofRun(first),
    ...ofRun(unlisted),
    ["/v1/snapshot", OWN],
    ["/v1/runs/none", NONE],
    ["/v1/boards/none", NONE],
    ["/v1/datasets?limit=0", NONE],
    ["/v1/keys", NONE],
    ["/nowhere", NONE],
    ["/healthz", NONE],
  ] as [string, string][];
  const keyed = Object.values(kinds).filter(({ path }) => path.startsWith("/v1/"));
  const wrong: unknown[] = [];
  const look = async (path: string, control: string, headers: Record<string, string>) => {
    await read(cloud, path, headers);
    const { cache, control: seen } = await read(cloud, path, headers);
    if (cache !== "BYPASS" || seen !== control) wrong.push([path, cache, seen]);
  };
  for (const [path, control] of reads) await look(path, control, {});
  for (const { path } of keyed) await look(path, OWN, bearer);
  findings.add(
    `${reads.length} reads of runs, of an unlisted run, of the newest snapshot and of what is not there, and ${keyed.length} with a key, are never cached`,
    () => equal(wrong, []),
  );
  const readable = await read(cloud, `/v1/leaderboard?${QUERY}`);
  findings.add("readers with a key leave nothing to those without", () =>
    equal([readable.cache, readable.control], ["HIT", MINUTE]),
  );
}

/** What twenty readers ask for; "run" and "with a key" are never cached. */
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

async function readers(cloud: Cloud, kinds: Kinds, run: string, findings: Findings): Promise<void> {
  const seen: (Seen & { what: string })[] = [];
  const yardstick = trivial();
  const trivialMs: number[] = [];
  const one = async (i: number) => {
    const what = MIX[i % MIX.length]!;
    const path = what === "run" ? `/v1/runs/${run}` : (kinds[what] ?? kinds["leaderboard"]!).path;
    const location = LOCATIONS[Math.floor(i / MIX.length) % LOCATIONS.length];
    seen.push({
      what,
      ...(await read(cloud, path, what === "with a key" ? bearer : {}, location)),
    });
    trivialMs.push(await yardstick());
  };
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(round * AT_ONCE + i)));
    await cloud.workers.pass(ROUND_MS);
  }
  const isHit = ({ cache }: Seen) => cache === "HIT" || cache === "UPDATING";
  const cacheable = seen.filter(({ what }) => what in kinds);
  const hits = seen.filter(isHit);
  const rate = hits.length / cacheable.length;
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  findings.add(
    `${percent(rate)} of ${cacheable.length} reads of badges (35%), boards and their CSV (28%), pages (28%), histories and lists (11%), five a second from ${LOCATIONS.length} locations, are answered by the cache (at least ${percent(HIT_RATE)}); ${percent(hits.length / seen.length)} of all reads, of which a tenth is of runs or has a key`,
    () => (rate >= HIT_RATE ? undefined : percent(rate)),
  );
  const p99 = quantile(hits.map(({ ms }) => ms));
  const usual = quantile(trivialMs);
  const asked = quantile(
    seen.filter((its) => !isHit(its)).map(({ ms }) => ms),
    0.5,
  );
  findings.add(
    `99% of hits take at most ${p99.toFixed(1)} ms (at most ${P99_MS}), of a trivial reply ${usual.toFixed(1)} ms; replies of the Worker take ${Math.round(asked)} ms, D1 at ${D1_MS} ms`,
    () => (p99 <= Math.max(P99_MS, 2 * usual) ? undefined : `${p99}`),
  );
  const odd = seen.filter(({ status }) => status !== 200).map(({ status }) => status);
  findings.add("every reader gets a reply", () => equal(odd, []));
}

/** Reads a reply of two bytes from a cache of its own; gives how long it takes, ms. */
function trivial(): () => Promise<number> {
  const cache = new EdgeCache(Date.now);
  const asked = { key: "trivial", location: LOCATIONS[0], init: {} };
  return async () => {
    const begun = performance.now();
    const headers = { "cache-control": "public, max-age=3600" };
    await (await cache.fetch(asked, async () => new Response("ok", { headers }))).text();
    return performance.now() - begun;
  };
}

function quantile(values: readonly number[], share = 0.99): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}

async function newVersion(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  // As an upload gives it.
  cloud.account.scripts.get(NAME)!.version = randomUUID();
  cloud.workers.changed();
  const caches = await Promise.all(
    Object.values(kinds).map(async ({ path }) => (await read(cloud, path)).cache),
  );
  findings.add("a new version of the Worker starts with an empty cache", () =>
    equal([...new Set(caches)], ["MISS"]),
  );
}

/** The database is away for longer than old replies may be served. */
async function outage(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  const ofD1 = Object.entries(kinds).filter(([, { isOfD1 }]) => isOfD1);
  const texts = async () =>
    Promise.all(ofD1.map(async ([what, { path }]) => [what, (await read(cloud, path)).text]));
  await cloud.workers.pass(OLDEST_MS);
  const before = new Map((await texts()) as [string, string][]);
  await cloud.workers.fail("d1", OUTAGE_MS);
  const other = async () =>
    (await texts()).filter(([what, text]) => before.get(what!) !== text).map(([what]) => what);
  const changed: unknown[] = [];
  const STEPS = 6;
  for (let step = 0; step < STEPS; step++) {
    await cloud.workers.pass((OUTAGE_MS - 1_000) / STEPS);
    changed.push(...(await other()));
  }
  findings.add(
    `while the database is away, readers get ${ofD1.length} kinds of replies as they were, for an hour`,
    () => equal(changed, []),
  );
  const rest = Object.values(kinds).filter(({ isOfD1 }) => !isOfD1);
  const statuses = await Promise.all(
    rest.map(async ({ path }) => (await read(cloud, path, {}, "GRU")).status),
  );
  findings.add("pages, suites and the snapshot do not depend on it", () =>
    equal([...new Set(statuses)], [200]),
  );
  await cloud.workers.pass(OLDEST_MS + 1_000);
  const gone = await other();
  findings.add("after that hour and their maximum age, nobody gets them", () =>
    equal(
      gone,
      ofD1.map(([what]) => what),
    ),
  );
  await cloud.workers.fail("d1", 0);
  await cloud.workers.pass(OLDEST_MS);
  const after = await other();
  findings.add("and everybody does once the database is back", () => equal(after, []));
}

/** Results that were cached, then hidden or deleted. */
async function withdrawn(cloud: Cloud, runs: Runs, findings: Findings): Promise<void> {
  const places = [
    { path: `/v1/leaderboard?${QUERY}`, ms: MAX_AGE_MS[MINUTE] },
    { path: `/v1/leaderboard.csv?${QUERY}`, ms: MAX_AGE_MS[MINUTE] },
    { path: "/badge/rehearsal/second.json", ms: MAX_AGE_MS[FIVE_MINUTES] },
    { path: "/badge/rehearsal/third.json", ms: MAX_AGE_MS[FIVE_MINUTES] },
  ];
  const isShown = (path: string, text: string) =>
    path.startsWith("/badge") ? !text.includes("not evaluated") : /second|third/.test(text);
  const shown = async () => {
    const asks = LOCATIONS.flatMap((location) => places.map(({ path }) => ({ path, location })));
    const all = asks.map(async ({ path, location }) => {
      const { text } = await read(cloud, path, {}, location);
      return isShown(path, text) ? [path] : [];
    });
    return (await Promise.all(all)).flat();
  };
  const before = await shown();
  const hidden = await page(cloud, `/v1/runs/${runs.second}/hide`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ reason: "a rehearsal" }),
  });
  const deleted = await page(cloud, `/v1/runs/${runs.third}`, {
    method: "DELETE",
    headers: bearer,
  });
  findings.add("a run is hidden, another one deleted", () =>
    equal([hidden.status, deleted.status], [200, 204]),
  );
  await until(async () => {
    const path = `/v1/leaderboard?${QUERY}`;
    return !isShown(path, (await read(cloud, path, bearer)).text);
  });
  const meanwhile = await shown();
  await cloud.workers.pass(MAX_AGE_MS[MINUTE]);
  const later = (await shown()).filter((path) => path.startsWith("/v1/"));
  await cloud.workers.pass(OLDEST_MS - MAX_AGE_MS[MINUTE]);
  const last = await shown();
  findings.add(
    `both were shown at ${LOCATIONS.length} locations, still are meanwhile, and nowhere after the maximum age`,
    () =>
      equal(
        [before.length, meanwhile.length > 0, later, last],
        [places.length * LOCATIONS.length, true, [], []],
      ),
  );
}
