import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Cloud } from "../cloud/cloud.ts";
import { far } from "../cloud/data-plane.ts";
import { messagesOf } from "./billing.ts";
import { answered, upload } from "./runs.ts";
import { bearer, equal, type Findings, onDeployed, page, type Scene } from "./scene.ts";

const HOST = "models.assay-rehearsal.com";
/** ENDPOINT_CONCURRENCY_MAX and LANES_MAX × 5 of wrangler.toml. */
const CAP = 200;
const LANES_CAP = 240;
const LATENCY_MS = 10_000;
const LOOK_MS = 250;
/** Maximum time until the consumers use the whole cap, while keys are made and runs submitted. */
const RAMP_S = 180;
/** Maximum time from an account's first submission to the end of that run, as a share of the time of all runs. */
const WAIT_SHARE = 0.25;

const submittedSchema = z.object({ runs: z.array(z.object({ id: z.string() })).min(1) });

interface Crowd {
  submissions: number;
  accounts: number;
  samples: number;
  /** Number of endpoints among which the submissions are spread. */
  endpoints: number;
}

const crowds: readonly Crowd[] = [
  { submissions: 1_000, accounts: 50, samples: 25, endpoints: 1 },
  { submissions: 1_000, accounts: 50, samples: 25, endpoints: 200 },
];

/** Many simultaneous submissions, each with far more concurrency than its share. */
export const crowdScenes: readonly Scene[] = crowds.map((crowd) => ({
  name: `${crowd.submissions.toLocaleString("en")} submissions of ${crowd.accounts} accounts at ${crowd.endpoints === 1 ? "one endpoint" : `${crowd.endpoints} endpoints`}`,
  isQuick: false,
  isLarge: true,
  plays: "promptly",
  play: () =>
    onDeployed({ conditions: far }, (cloud, findings) => playCrowd(cloud, crowd, findings)),
}));

async function playCrowd(cloud: Cloud, crowd: Crowd, findings: Findings): Promise<void> {
  const { submissions, accounts, samples, endpoints } = crowd;
  let inFlight = 0;
  let asked = 0;
  cloud.workers.outside = async (request) => {
    inFlight += 1;
    asked += 1;
    const reply = await answered(request);
    await setTimeout(LATENCY_MS);
    inFlight -= 1;
    return reply;
  };
  const looks: { asked: number; inFlight: number }[] = [];
  const watch = setInterval(() => looks.push({ asked, inFlight }), LOOK_MS);
  try {
    await upload(cloud, samples);
    const keys = await Promise.all(
      Array.from({ length: accounts }, (_, i) => keyOf(cloud, `account-${i}`)),
    );
    const before = messagesOf(cloud);
    const perAccount = submissions / accounts;
    // The last account submits after all others, while their work is waiting.
    const accountOf = (i: number) =>
      i < submissions - perAccount ? i % (accounts - 1) : accounts - 1;
    const runs = await inTurn(submissions, 8, (i) =>
      submitted(cloud, keys[accountOf(i)]!, {
        dataset: `invoices-${samples}`,
        slug: `account-${accountOf(i)}/model-${i}`,
        address: `192.0.2.${accountOf(i)}`,
        host: endpoints === 1 ? HOST : `${i % endpoints}.${HOST}`,
      }),
    );
    const ends = await endsOf(cloud, runs, 1_900_000);
    const total = submissions * samples;
    // From the first use of the whole cap until too little work is left.
    const full = endpoints === 1 ? CAP : LANES_CAP;
    const start = looks.findIndex((look) => look.inFlight >= 0.95 * full);
    const busy = looks.slice(start).filter((look) => look.asked < total - 2 * full);
    const mean = busy.reduce((sum, look) => sum + look.inFlight, 0) / Math.max(1, busy.length);
    const share = (100 * mean) / full;
    findings.add(
      `${share.toFixed(1)}% of ${full} requests of ${LATENCY_MS / 1_000} s in flight are used while work waits (at least 95%)`,
      () => (start >= 0 && share >= 95 ? undefined : `${mean.toFixed(1)}`),
    );
    findings.add("every run ends with all of its samples", () =>
      equal(
        ends.filter(({ status, done }) => status !== "finished" || done !== samples).slice(0, 3),
        [],
      ),
    );
    const byAccount = [...Map.groupBy(ends, (_, i) => accountOf(i)).values()];
    const order = orderOf(byAccount);
    findings.add("within an account, runs end mostly in the order of their submission", () =>
      order >= 0.9 ? undefined : `${order}`,
    );
    const waits = byAccount.map((runs) => waitOf(runs, ends));
    const [last = 1, longest] = [waits.at(-1), Math.max(...waits)];
    const percent = (wait: number) => `${(100 * wait).toFixed(0)}%`;
    findings.add(
      `no account waits for others: the first run of each ends within ${percent(longest)} of the time of all runs (at most ${percent(WAIT_SHARE)}), the last account's within ${percent(last)}`,
      () => (longest <= WAIT_SHARE ? undefined : `${longest}`),
    );
    findings.add(
      `the cap is reached ${((start * LOOK_MS) / 1_000).toFixed(0)} s after the first look (at most ${RAMP_S})`,
      () => (start >= 0 && start * LOOK_MS <= RAMP_S * 1_000 ? undefined : `${start}`),
    );
    const perSample = (messagesOf(cloud) - before) / total;
    findings.add(`${perSample.toFixed(3)} messages a sample (at most 0.05)`, () =>
      perSample <= 0.05 ? undefined : perSample.toFixed(3),
    );
    const most = Math.max(...looks.map((look) => look.inFlight));
    findings.add(`at most ${most} requests in flight at once`, () =>
      most <= full ? undefined : `${most}`,
    );
  } finally {
    clearInterval(watch);
  }
}

async function keyOf(cloud: Cloud, owner: string): Promise<string> {
  const made = await page(cloud, "/v1/keys", {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ owner, name: "rehearsal" }),
  });
  return z.object({ key: z.string() }).parse(JSON.parse(made.text)).key;
}

interface Submission {
  dataset: string;
  slug: string;
  host: string;
  /** IP address of the submitter; writes are limited per address. */
  address: string;
}

async function submitted(cloud: Cloud, key: string, submission: Submission) {
  const { dataset, slug, host, address } = submission;
  const endpoint = { baseUrl: `https://${host}/v1`, model: "m", apiKey: "any" };
  const reply = await page(cloud, "/v1/submissions", {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "cf-connecting-ip": address,
    },
    body: JSON.stringify({
      suite: "extraction",
      dataset,
      visibility: "unlisted",
      options: { concurrency: 25 },
      models: [{ name: slug, slug, simulated: true, endpoint }],
    }),
  });
  if (reply.status !== 202) throw new Error(reply.text.slice(0, 900));
  const { runs } = submittedSchema.parse(JSON.parse(reply.text));
  return runs[0]!.id;
}

/** Calls `act` with 0 to `count` − 1, `atOnce` calls in parallel. */
async function inTurn<T>(count: number, atOnce: number, act: (i: number) => Promise<T>) {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const i = next++;
      results[i] = await act(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

interface End {
  id: string;
  status: string;
  done: number;
  createdAt: number;
  finishedAt: number;
}

/** The runs in the order of `ids`, when all have ended or after the timeout. */
async function endsOf(cloud: Cloud, ids: readonly string[], withinMs: number): Promise<End[]> {
  const [database] = [...cloud.account.databases.keys()];
  const sql = `SELECT id, status, done, created_at AS createdAt, coalesce(finished_at, 0) AS finishedAt
    FROM runs`;
  const deadline = Date.now() + withinMs;
  for (;;) {
    const [found] = (await cloud.workers.query(database!, sql, [])) as { results: End[] }[];
    const byId = new Map(found?.results.map((run) => [run.id, run]));
    const ends = ids.flatMap((id) => byId.get(id) ?? []);
    if (Date.now() > deadline || ends.every(({ status }) => status === "finished")) return ends;
    await setTimeout(2_000);
  }
}

/** Share of pairs of an account's successive runs that ended in the order of their submission. */
function orderOf(byAccount: readonly (readonly End[])[]): number {
  const pairs = byAccount.flatMap((ends) =>
    ends.slice(1).map((run, i) => run.finishedAt - ends[i]!.finishedAt),
  );
  return pairs.filter((laterMs) => laterMs >= -5_000).length / Math.max(1, pairs.length);
}

/** Time of an account's first run, as a share of the time of all runs. */
function waitOf([first]: readonly End[], all: readonly End[]): number {
  const begun = Math.min(...all.map(({ createdAt }) => createdAt));
  const last = Math.max(...all.map(({ finishedAt }) => finishedAt));
  return first === undefined ? 1 : (first.finishedAt - first.createdAt) / (last - begun);
}
