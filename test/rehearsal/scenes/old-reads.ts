import type { Cloud } from "../cloud/cloud.ts";
import {
  CSV,
  type Kinds,
  LEADERBOARD,
  LOCATIONS,
  MINUTE_MS,
  OLDEST_MS,
  OUTAGE_MS,
  type Runs,
  read,
  until,
} from "./public-reads.ts";
import { bearer, equal, type Findings, page } from "./scene.ts";

/** Checks the maximum age of the replies that readers get. */

const STEPS = 6;

/** Makes the database unavailable for longer than stale replies may be served. */
export async function outage(cloud: Cloud, kinds: Kinds, findings: Findings): Promise<void> {
  const { workers } = cloud;
  const ofD1 = Object.entries(kinds).filter(([, { isOfD1 }]) => isOfD1);
  const names = ofD1.map(([what]) => what);
  const texts = () => Promise.all(ofD1.map(async ([, { path }]) => (await read(cloud, path)).text));
  await workers.pass(OLDEST_MS);
  const before = await texts();
  const changed = async () => {
    const now = await texts();
    return names.filter((_, i) => now[i] !== before[i]);
  };
  await workers.fail("d1", OUTAGE_MS);
  const meanwhile: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    await workers.pass((OUTAGE_MS - 1_000) / STEPS);
    // Isolates keep some replies in memory; new isolates have none.
    if (step === STEPS / 2) await workers.kill();
    meanwhile.push(...(await changed()));
  }
  findings.add(
    `while the database is unavailable, readers get old replies for an hour: ${names.join(", ")}`,
    () => equal(meanwhile, []),
  );
  const others = Object.values(kinds).filter(({ isOfD1 }) => !isOfD1);
  const statuses = await Promise.all(
    others.map(async ({ path }) => (await read(cloud, path)).status),
  );
  findings.add("other kinds do not need the database", () => equal([...new Set(statuses)], [200]));
  await workers.pass(OLDEST_MS + 1_000);
  const gone = await changed();
  findings.add("after that hour and the maximum age, nobody gets them", () => equal(gone, names));
  await workers.fail("d1", 0);
  const after = await changed();
  findings.add("all do when the database is back", () => equal(after, []));
}

const withdrawnReads = [
  LEADERBOARD,
  CSV,
  "/badge/rehearsal/second.json",
  "/badge/rehearsal/third.json",
] as const;

/** The reads of all locations that show a result of the second or third run. */
async function shown(cloud: Cloud): Promise<string[]> {
  const all = LOCATIONS.flatMap((location) =>
    withdrawnReads.map(async (path) => {
      const { text } = await read(cloud, path, {}, location);
      return isShown(path, text) ? [path] : [];
    }),
  );
  return (await Promise.all(all)).flat();
}

const isBadge = (path: string) => path.startsWith("/badge");
const isShown = (path: string, text: string) =>
  isBadge(path) ? !text.includes("not evaluated") : /second|third/.test(text);

/** Hides or deletes results that are cached at all locations. */
export async function withdrawn(cloud: Cloud, runs: Runs, findings: Findings): Promise<void> {
  const before = await shown(cloud);
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
  await until(async () => !isShown(LEADERBOARD, (await read(cloud, LEADERBOARD, bearer)).text));
  const meanwhile = await shown(cloud);
  await cloud.workers.pass(MINUTE_MS);
  const later = (await shown(cloud)).filter((path) => !isBadge(path));
  await cloud.workers.pass(OLDEST_MS - MINUTE_MS);
  const last = await shown(cloud);
  findings.add(
    `at ${LOCATIONS.length} locations they are in caches, on boards for at most a minute, on badges for five`,
    () =>
      equal(
        [before.length, meanwhile.length > 0, later, last],
        [LOCATIONS.length * withdrawnReads.length, true, [], []],
      ),
  );
}
