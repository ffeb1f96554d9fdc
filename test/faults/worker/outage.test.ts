import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runLane } from "../../../api/engine/run-lane.ts";
import { adaptersOf } from "../../../api/index.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryStorage } from "../../../api/platform/retry-storage.ts";
import {
  harness,
  relayDataset,
  sleepClock,
  submitRun,
  upperCasing,
} from "../../worker/support/harness.ts";
import { proves } from "./proves.ts";

const SAMPLES = 12;
const REQUESTS = 2 * SAMPLES;

type Away = { [Port in "runs" | "objects" | "datasets"]?: string };

/** How much faster sleeping is here. */
const SPEED = 200;
const LEASE_MS = 60_000;

/** A service with its own clock, in which the calls named in `away` fail during the first `awayMs`. */
function harnessWith(away: Away, awayMs: number) {
  const { now, sleep } = sleepClock(SPEED);
  const start = now();
  const seen = { asked: 0, failed: 0 };
  const failing = <Port extends object>(port: Port, name: string | undefined): Port => {
    if (name === undefined) return port;
    const real = port[name as never] as (...args: unknown[]) => Promise<unknown>;
    const call = async (...args: unknown[]) => {
      if (now() >= start + awayMs) return real(...args);
      seen.failed += 1;
      throw new Error("D1_ERROR: Network connection lost.");
    };
    return { ...port, [name]: call };
  };
  const real = adaptersOf(env as never);
  const flaky: Platform = { ...real, now, sleep };
  flaky.runs = failing(real.runs, away.runs);
  flaky.objects = failing(real.objects, away.objects);
  flaky.datasets = failing(real.datasets, away.datasets);
  const { runs, objects, datasets } = retryStorage(flaky, {
    now,
    sleep: flaky.sleep,
    random: Math.random,
  });
  const made = harness({
    runs,
    objects,
    datasets,
    now,
    sleep,
    settings: { ...real.settings, leaseMs: LEASE_MS },
    ask: async (...request) => {
      seen.asked += 1;
      return upperCasing(...request);
    },
  });
  return { ...made, seen };
}

/** Completes a run of a dataset; redelivers each message after a pause. */
async function complete({ platform, mail }: ReturnType<typeof harnessWith>): Promise<string> {
  const calm = harness({ queues: platform.queues, now: platform.now }).platform;
  const options = { concurrency: 5 };
  const run = await submitRun(calm, await relayDataset(calm, SAMPLES), { options });
  for (let i = 0; mail.evaluate.length > 0; i++) {
    if (i === 50) throw new Error("the run makes no progress");
    const message = mail.evaluate.shift();
    // A failed message is delivered again.
    if (message) await runLane(platform, message).catch(() => void mail.evaluate.push(message));
    if (mail.evaluate.length > 0) await platform.sleep(6_000);
  }
  return run;
}

describe("an outage longer than the retries of a call,", { timeout: 60_000 }, () => {
  const cases: [name: string, away: Away, awayMs: number][] = [
    ["of samples: units are returned, not lost", { datasets: "row" }, 20_000],
    ["of answers: they are written after it", { objects: "put" }, 15_000],
    ["of answers for ten minutes: they wait in memory", { objects: "put" }, 600_000],
    ["of the database: the commit is repeated", { runs: "commit" }, 30_000],
    ["of the database for ten minutes: the lane keeps its lease", { runs: "commit" }, 600_000],
  ];
  it.each(cases)("%s", async (name, away, awayMs) => {
    const made = harnessWith(away, awayMs);
    const run = await complete(made);
    expect(made.seen.failed).toBeGreaterThan(7);
    expect(await harness().platform.runs.get(run)).toMatchObject({ done: SAMPLES, failed: 0 });
    expect(made.mail.finish).toHaveLength(1);
    expect(made.seen.asked).toBe(REQUESTS);
    proves(`outage ${name.split(":")[0]}`);
  });

  it("of answers and longer than the lane: the units are returned", async () => {
    const made = harnessWith({ objects: "put" }, 900_000);
    const run = await complete(made);
    expect(await harness().platform.runs.get(run)).toMatchObject({ done: SAMPLES, failed: 0 });
    expect(made.seen.asked).toBeGreaterThan(REQUESTS);
    proves("outage of answers that outlasts a lane");
  });

  it("of the database and longer than the lane: the next holder gets the answers", async () => {
    const made = harnessWith({ runs: "commit" }, 900_000);
    const run = await complete(made);
    expect(await harness().platform.runs.get(run)).toMatchObject({ done: SAMPLES, failed: 0 });
    expect(made.seen.asked).toBe(REQUESTS);
    proves("outage of the database that outlasts a lane");
  });
});
