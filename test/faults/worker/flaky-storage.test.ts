import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { platformOf } from "../../../api/index.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Draws } from "../../../simulator/draws.ts";
import {
  deliver,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "../../worker/support/harness.ts";
import { calm } from "../fault-settings.ts";
import { Connections, failingBindings } from "./connections.ts";
import { Hazard } from "./hazard.ts";
import { proves } from "./proves.ts";

const SAMPLES = 100;
/** The relay suite makes two requests per unit. */
const REQUESTS = 2 * SAMPLES;

/** A service whose bindings fail in every sixth call; counts faults and model calls. */
function flakyHarness(seed: string) {
  const faults = new Map<string, number>();
  const asked: string[] = [];
  const hazard = new Hazard((fault, count = 1) => {
    faults.set(fault, (faults.get(fault) ?? 0) + count);
  });
  hazard.change({ ...calm, seed, storageRate: 1 / 6 });
  const bindings = failingBindings(env as never, hazard, new Connections());
  const { runs, objects, datasets, boards, publications, cleanup, idempotency } =
    platformOf(bindings);
  const made = harness({
    runs,
    objects,
    datasets,
    boards,
    publications,
    cleanup,
    idempotency,
    ask: (...request) => {
      asked.push(request[1].messages[0]?.content ?? "");
      return upperCasing(...request);
    },
  });
  return { ...made, faults, asked, draws: hazard.draws };
}

type FlakyHarness = ReturnType<typeof flakyHarness>;

/** Delivers all messages twice, in random order and in parallel, until none is left. */
async function deliverBadly({ platform, mail, draws, faults }: FlakyHarness): Promise<void> {
  const count = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  while (mail.evaluate.length + mail.finish.length > 0) {
    const lanes = mail.evaluate.splice(0).map((body) => ({ queue: "evaluate", body }));
    const finishes = mail.finish.splice(0).map((body) => ({ queue: "finish", body }));
    const deliveries = [...lanes, ...finishes].flatMap((one) => [
      { ...one, isRepeat: false },
      { ...one, isRepeat: true },
    ]);
    const cronRuns = [lateCron(platform), lateCron(platform)];
    count("two cron runs at once that take every lease for expired");
    await Promise.all(
      shuffled(deliveries, draws).map(async ({ queue, body, isRepeat }) => {
        count("message delivered twice or out of order");
        const outcome = await deliver(platform, queue, body);
        if (outcome === "ack" || isRepeat) return;
        if (queue === "evaluate") mail.evaluate.push(body as never);
        else mail.finish.push(body as never);
      }),
    );
    await Promise.all(cronRuns);
  }
}

/** A cron run whose clock is minutes ahead, so it takes every lane for dead. */
const lateCron = (platform: Platform) => runCron({ ...platform, now: () => Date.now() + 600_000 });

function shuffled<T>(items: readonly T[], draws: Draws): T[] {
  return items
    .map((item) => ({ item, place: draws.unit() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

describe("a run with flaky storage", { timeout: 60_000 }, () => {
  it.each(["1", "2"])("loses nothing, repeats at most 1% of requests (seed %s)", async (seed) => {
    const flaky = flakyHarness(seed);
    const { platform } = flaky;
    const dataset = await relayDataset(harness().platform, SAMPLES);
    const run = await submitRun(harness({ queues: platform.queues }).platform, dataset);
    await deliverBadly(flaky);
    const calmly = harness();
    const twin = await submitRun(calmly.platform, dataset);
    await calmly.deliverAll();
    const [stormy, quiet] = [
      await calmly.platform.runs.get(run),
      await calmly.platform.runs.get(twin),
    ];
    expect(stormy).toMatchObject({ status: "finished", done: SAMPLES, failed: 0 });
    expect(JSON.stringify(stormy?.metrics)).toBe(JSON.stringify(quiet?.metrics));
    const rows = await calmly.platform.runs.samples(run, -1, 2 * SAMPLES);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: SAMPLES }, (_, i) => i));
    expect(flaky.asked.length).toBeLessThanOrEqual(1.01 * REQUESTS);
    for (const [fault, count] of flaky.faults) proves(fault, count);
  });
});
