import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { platformOf } from "../../../api/index.ts";
import type { LaneMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { queuesOf } from "../../../api/platform/queues.ts";
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

const LATENCY_MS = 25;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A hazard whose puts take as long as an answer. */
function slowPuts(): Hazard {
  const hazard = new Hazard(() => {});
  hazard.change({ ...calm, stallRate: 1, stallMs: LATENCY_MS });
  return hazard;
}

it("Connections makes the seventh open connection wait for one of the six", async () => {
  const connections = new Connections();
  let open = 0;
  let most = 0;
  const call = async () => {
    open += 1;
    most = Math.max(most, open);
    await sleep(5);
    open -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => connections.hold(call)));
  expect({ most, opened: connections.opened, held: connections.held }).toEqual({
    most: 6,
    opened: 20,
    held: 14,
  });
});

it("a lane that starts others while it saves, with five open requests, needs no seventh connection", async () => {
  const own = new Connections();
  const made = harness();
  const slowly = () => own.hold(() => sleep(LATENCY_MS));
  const sendBatch = async () => slowly();
  const answering = Array.from(
    { length: 12 },
    () => ({ sendBatch }) as unknown as Queue<LaneMessage>,
  );
  const { finish } = made.platform.queues;
  const platform: Platform = {
    ...made.platform,
    settings: { ...made.platform.settings, laneSpanMaxMs: 20 * LATENCY_MS },
    queues: {
      ...queuesOf({
        answering,
        judging: [],
        finish: answering[0] as never,
        webhooks: answering[0] as never,
      }),
      finish,
    },
    runs: {
      ...made.platform.runs,
      giveSeats: async () =>
        answering.map((_, place) => ({ run: "run_other", lane: place, place })),
    },
    objects: {
      ...made.platform.objects,
      put: async (...object) => {
        await slowly();
        await made.platform.objects.put(...object);
      },
    },
    ask: (...request) =>
      own.hold(async () => {
        await sleep(LATENCY_MS);
        return upperCasing(...request);
      }),
  };
  const run = await submitRun(made.platform, await relayDataset(made.platform, 300), {
    options: { concurrency: 5 },
  });
  while (made.mail.evaluate.length > 0) {
    await deliver(platform, "evaluate", made.mail.evaluate.shift()!);
  }
  expect(await made.platform.runs.get(run)).toMatchObject({ done: 300 });
  expect(own.opened).toBeGreaterThan(300 + 2 * answering.length);
  expect(own.held).toBe(0);
});

it("no message of a run needs a seventh connection", async () => {
  const connections: Connections[] = [];
  /** Each message is an invocation with its own connections. */
  const invocation = (made: ReturnType<typeof harness>) => {
    const own = new Connections();
    connections.push(own);
    const failing = failingBindings(env as never, slowPuts(), own);
    const { runs, objects, datasets, boards, publications } = platformOf(failing);
    const bound = { runs, objects, datasets, boards, publications };
    return {
      ...made.platform,
      ...bound,
      ask: (...request: Parameters<typeof upperCasing>) =>
        own.hold(async () => {
          await sleep(LATENCY_MS);
          return upperCasing(...request);
        }),
    };
  };
  const made = harness();
  const run = await submitRun(made.platform, await relayDataset(made.platform, 150), {
    options: { concurrency: 15 },
  });
  const deliverNext = async (): Promise<void> => {
    const lane = made.mail.evaluate.shift();
    const message = lane ?? made.mail.finish.shift();
    if (message === undefined) return;
    await deliver(invocation(made), lane ? "evaluate" : "finish", message);
    await deliverNext();
  };
  await Promise.all([deliverNext(), deliverNext(), deliverNext()]);
  await deliverNext();
  expect(await made.platform.runs.get(run)).toMatchObject({
    status: "finished",
    done: 150,
    failed: 0,
  });
  expect(connections.reduce((sum, { held }) => sum + held, 0)).toBe(0);
  const opened = connections.reduce((sum, one) => sum + one.opened, 0);
  expect(opened).toBeGreaterThan(300);
  proves("connections under the limit of six", opened);
});
