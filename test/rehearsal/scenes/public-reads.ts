import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { root } from "../../../cli/local/root.ts";
import { KEYS_PATH } from "../../../shared/contracts/boards/result-statement.ts";
import { snapshotRootSchema } from "../../../shared/contracts/boards/snapshot.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { answered, answersTo, ended, HOST, submitted, submittedIn, upload } from "./runs.ts";
import { bearer, NAME } from "./scene.ts";

/** Public reads of a deployment and their caching: docs/deployment.md, "What is cached". */

export const MINUTE = "public, max-age=30, stale-while-revalidate=30, stale-if-error=3600";
const FIVE_MINUTES = "public, max-age=240, stale-while-revalidate=60, stale-if-error=3600";
/** Cache-Control of pages for browsers; Cloudflare caches pages for a minute. */
const PAGE = "public, max-age=0, must-revalidate";
/** Cache-Control of files with a hash in their names. */
const UNLIMITED = "public, max-age=31536000, immutable";
export const MINUTE_MS = 60_000;
/** Longest maximum age of a cached reply, except for styles. */
export const OLDEST_MS = 5 * MINUTE_MS;
/** Additional age while the service fails. */
export const OUTAGE_MS = 60 * MINUTE_MS;

export const LOCATIONS = ["FRA", "IAD", "SIN", "GRU", "JNB"] as const;
const SAMPLES = 20;
const DATASET = `invoices-${SAMPLES}`;
const QUERY = `suite=extraction&dataset=${DATASET}`;
export const LEADERBOARD = `/v1/leaderboard?${QUERY}`;
export const CSV = `/v1/leaderboard.csv?${QUERY}`;
const STYLES = "/_astro/styles.css";

interface Kind {
  path: string;
  control: string;
  /** Needs the database. */
  isOfD1?: true;
}

export type Kinds = Record<string, Kind>;

export interface Seen {
  status: number;
  cache: string | null;
  control: string | null;
  text: string;
  ms: number;
}

export async function read(
  cloud: Cloud,
  path: string,
  headers: Record<string, string> = {},
  location: string = LOCATIONS[0],
): Promise<Seen> {
  const begun = performance.now();
  const url = `https://${NAME}.rehearsal.workers.dev${path}`;
  const reply = (await cloud.workers.fetch(url, { headers }, location))!;
  const text = await reply.text();
  const ms = performance.now() - begun;
  const [cache = null, control = null] = ["cf-cache-status", "cache-control"].map((name) =>
    reply.headers.get(name),
  );
  return { status: reply.status, cache, control, text, ms };
}

/** Adds a style sheet to the site, with the headers of its files. */
export function addStyles({ account }: Cloud): void {
  const { assets, metadata } = account.scripts.get(`${NAME}-site`)!;
  const content = new TextEncoder().encode("body { color: black }");
  assets!.set(STYLES, { hash: "styles", content, type: "text/css" });
  const _headers = readFileSync(join(root, "site", "public", "_headers"), "utf8");
  metadata.assets!.config = { ...metadata.assets!.config, _headers };
}

/** Makes a new version of the Worker, like an upload. */
export function renew({ account, workers }: Cloud): void {
  account.scripts.get(NAME)!.version = randomUUID();
  workers.changed();
}

const PUBLIC_RUNS = 3;

export type Runs = Awaited<ReturnType<typeof published>>;

/** Submits public runs for a board, and an unlisted run. */
export async function published(cloud: Cloud) {
  await upload(cloud, SAMPLES);
  cloud.workers.outside = answered;
  const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
  const answers = answersTo(SAMPLES);
  const [first, second, third, unlisted] = await Promise.all([
    submitted(cloud, SAMPLES, "first", { endpoint }),
    submitted(cloud, SAMPLES, "second", { answers: answersTo(SAMPLES, 1) }),
    submitted(cloud, SAMPLES, "third", { answers: answersTo(SAMPLES, 2) }),
    submittedIn(cloud, {
      suite: "extraction",
      dataset: DATASET,
      visibility: "unlisted",
      models: [{ name: "secret", slug: "rehearsal/secret", simulated: true, answers }],
    }),
  ]);
  await Promise.all([first, second, third, unlisted].map((id) => ended(cloud, id)));
  await until(async () => {
    const { text } = await read(cloud, LEADERBOARD, bearer);
    const items = (await indexOf(cloud)).reduce((sum, one) => sum + one.items, 0);
    return text.match(/"slug":/g)?.length === PUBLIC_RUNS && items === PUBLIC_RUNS;
  });
  return { first, second, third, unlisted };
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 60; looks++) {
    if (await isSo()) return;
    await setTimeout(500);
  }
  throw new Error("timeout");
}

/** The newest snapshot's pages that list runs. */
async function indexOf(cloud: Cloud) {
  const { status, text } = await read(cloud, "/v1/snapshot");
  return status === 200 ? snapshotRootSchema.parse(JSON.parse(text)).runs : [];
}

export async function kindsOf(cloud: Cloud): Promise<Kinds> {
  const { text } = await read(cloud, LEADERBOARD, bearer);
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(text));
  const [first] = await indexOf(cloud);
  const minute = (path: string): Kind => ({ path, control: MINUTE });
  const ofD1 = (path: string, control = MINUTE): Kind => ({ path, control, isOfD1: true });
  return {
    leaderboard: ofD1(LEADERBOARD),
    CSV: ofD1(CSV),
    board: ofD1(`/v1/boards/${id}`),
    history: ofD1("/v1/models/rehearsal/first/history?suite=extraction"),
    datasets: ofD1("/v1/datasets?limit=20"),
    suites: minute("/v1/suites"),
    OpenAPI: minute("/v1/openapi.json"),
    keys: minute(KEYS_PATH),
    badge: ofD1("/badge/rehearsal/first.svg", FIVE_MINUTES),
    "badge for shields.io": ofD1("/badge/rehearsal/first.json", FIVE_MINUTES),
    "page of the snapshot": {
      path: `/v1/snapshot/pages/${first?.hash}`,
      control: FIVE_MINUTES,
    },
    "home page": { path: "/", control: PAGE },
    styles: { path: STYLES, control: UNLIMITED },
  };
}
