import { expect, it } from "vitest";
import { openRun } from "../../../api/engine/run-work.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { deliver, harness, relayDataset, submitRun, upperCasing } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

/** A service on the Free plan: `requests` are those of the message that is being worked on. */
function onFree() {
  const sent = { requests: 0 };
  const made = harness({
    ask: async (target, request, limits, memory) => {
      sent.requests += 1;
      memory.requests.sent += 1;
      return upperCasing(target, request, limits, memory);
    },
  });
  const { platform } = made;
  platform.settings = {
    ...platform.settings,
    plan: { queries: 50, requests: 50, runSamples: 1_000 },
  };
  return { ...made, sent };
}

it("a run whose requests exceed those of an invocation is handed on, and complete", async () => {
  const { platform, mail, sent } = onFree();
  const run = await submitRun(platform, await relayDataset(platform, 200));
  const each: number[] = [];
  for (let message = mail.evaluate.shift(); message; message = mail.evaluate.shift()) {
    sent.requests = 0;
    await deliver(platform, "evaluate", message);
    each.push(sent.requests);
  }
  for (const message of mail.finish) await deliver(platform, "finish", message);
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 200, failed: 0 });
  // Two requests a sample.
  expect(each.reduce((sum, count) => sum + count, 0)).toBe(400);
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
});

it("what one invocation or the plan can't do is refused before it starts", async () => {
  const asOne = { ...relaySuite, plan: wholeDataset };
  const made = harness({ suites: { all: [asOne], byId: () => asOne } });
  const { platform } = made;
  const paid = platform.settings;
  platform.settings = { ...paid, plan: { queries: 50, requests: 50, runSamples: 10 } };
  const refused = await serve(platform).post(
    "/v1/submissions",
    aSubmission(await relayDataset(platform, 11)),
  );
  expect(refused.status).toBe(422);
  expect((await problemOf(refused)).errors).toEqual([
    {
      pointer: "/dataset",
      detail:
        "has 11 samples to score in a run, but this service runs on Cloudflare's Free plan, where a run has at most 10: draw fewer with options.sample {n, seed}",
    },
    {
      pointer: "/options",
      detail:
        "asks for 11 samples one after the other, but on this service's plan at most 10 fit into one invocation: choose options that ask for each sample alone",
    },
  ]);
  const fitting = aSubmission(await relayDataset(platform, 10));
  expect((await serve(platform).post("/v1/submissions", fitting)).status).toBe(202);
  platform.settings = paid;
  const long = aSubmission(await relayDataset(platform, 11));
  expect((await serve(platform).post("/v1/submissions", long)).status).toBe(202);
});

const wholeDataset: typeof relaySuite.plan = (heads) => [{ samples: [...heads.keys()], repeat: 0 }];

it("lanes of one isolate share the plan of their run", async () => {
  const { platform } = harness();
  const dataset = await relayDataset(platform, 30);
  const open = async (id: string) => openRun(platform, (await platform.runs.get(id))!);
  const [one, other] = [await submitRun(platform, dataset), await submitRun(platform, dataset)];
  const { plan } = await open(one);
  expect((await open(one)).plan).toBe(plan);
  expect((await open(other)).plan).not.toBe(plan);
});
