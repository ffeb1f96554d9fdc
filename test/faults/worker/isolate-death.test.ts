import { describe, expect, it } from "vitest";
import { runLane } from "../../../api/engine/run-lane.ts";
import { startLanes } from "../../../api/engine/seat-lanes.ts";
import type { LaneMessage } from "../../../api/platform/messages.ts";
import { laneMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import {
  harness,
  relayDataset,
  sleepClock,
  submitRun,
  upperCasing,
} from "../../worker/support/harness.ts";
import { proves } from "./proves.ts";

const SAMPLES = 60;
const LANES = 4;
const DEATHS_MAX = 40;
const STAGES = 2;

/** A call in a dead isolate: its promise never settles. */
const never = () => new Promise<never>(() => {});

/** How much faster sleeping is here. */
const SPEED = 100;

/** Makes a Worker's isolates. A request with one of the texts `killers` kills its isolate after `killsAfterMs`. */
function isolates(killers: readonly string[], killsAfterMs: number) {
  const { now, sleep } = sleepClock(SPEED);
  const seen = { asked: new Map<string, number>(), deaths: 0 };
  const calm = harness({ now, sleep });
  const isolate = () => {
    let isDead = false;
    let die = () => {};
    const death = new Promise<void>((resolve) => {
      die = resolve;
    });
    const mortal = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get(target, name) {
          const call = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
          return (...args: unknown[]) =>
            isDead ? never() : call(...args).then((value) => (isDead ? never() : value));
        },
      });
    const { runs, objects, queues, datasets } = calm.platform;
    const ask: Platform["ask"] = async (...request) => {
      const text = request[1].messages.at(-1)?.content ?? "";
      seen.asked.set(text, (seen.asked.get(text) ?? 0) + 1);
      const kills = killers.includes(text);
      await sleep(kills ? killsAfterMs : 300);
      if (kills && !isDead) {
        isDead = true;
        seen.deaths += 1;
        die();
      }
      return isDead ? never() : upperCasing(...request);
    };
    const platform = {
      ...calm.platform,
      runs: mortal(runs),
      objects: mortal(objects),
      queues: mortal(queues),
      datasets: mortal(datasets),
      ask,
    };
    return { platform, death };
  };
  return { ...calm, isolate, seen, sleep };
}

/** Completes a run in one isolate after another; the cron job finds the lanes of dead isolates. */
async function complete({ platform, mail, isolate, seen, sleep }: ReturnType<typeof isolates>) {
  const options = { concurrency: 5 * LANES };
  const run = await submitRun(platform, await relayDataset(platform, SAMPLES), { options });
  for (let round = 0; mail.finish.length === 0; round++) {
    if (round === 4 * DEATHS_MAX || seen.deaths > DEATHS_MAX) throw new Error("no progress");
    const { platform: mortal, death } = isolate();
    await startLanes(platform, "answering");
    const stalled = await platform.runs.stalled(platform.now() - 20_000);
    const found: LaneMessage[] = [
      ...mail.evaluate.splice(0),
      ...stalled.lanes
        .filter((lane) => lane.run === run)
        .map((lane) => laneMessage({ id: run, phase: "answering" }, lane)),
    ];
    await Promise.race([Promise.all(found.map((message) => runLane(mortal, message))), death]);
    await sleep(mail.evaluate.length > 0 ? 6_000 : 60_000);
  }
  return run;
}

describe("an isolate that dies with active lanes", { timeout: 120_000 }, () => {
  const cases: [cause: string, killers: number[], afterMs: number][] = [
    ["because of one sample, at once", [23], 0],
    ["because of one sample, after others finished", [23], 8_000],
    ["because of two samples", [7, 41], 0],
  ];
  it.each(cases)("%s, loses only these samples", async (_, killers, afterMs) => {
    const texts = killers.map((number) => `word ${number}`);
    const made = isolates(texts, afterMs);
    const run = await complete(made);
    const { platform, seen } = made;
    const failed = (await platform.runs.samples(run, -1, SAMPLES)).filter((row) => !row.covered);
    expect(failed.map(({ seq }) => seq)).toEqual(killers);
    expect(failed.every(({ errorClass }) => errorClass === "lost")).toBe(true);
    expect(await platform.runs.get(run)).toMatchObject({
      done: SAMPLES,
      failed: killers.length,
    });
    expect(seen.deaths).toBeLessThanOrEqual(10 * killers.length);
    const repeated = [...seen.asked].filter(([text, count]) => !texts.includes(text) && count > 1);
    const again = repeated.reduce((sum, [, count]) => sum + count - 1, 0);
    console.log(`${seen.deaths} deaths, ${again} of ${STAGES * SAMPLES} requests asked again`);
    // Each death loses the requests in flight and the answers since the last commit.
    expect(again).toBeLessThan(seen.deaths * LANES * 5 * STAGES * 2);
    proves("isolate that dies with active lanes", seen.deaths);
  });
});
