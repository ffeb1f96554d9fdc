import { expect, it } from "vitest";
import { openRun } from "../../../api/engine/run-work.ts";
import { deliver, harness, relayDataset, submitRun, upperCasing } from "../support/harness.ts";

/** A service on the Free plan: `requests` are those of the message that is being worked on. */
function onFree() {
  const sent = { requests: 0 };
  const made = harness({
    ask: async (target, request, limits, memory) => {
      sent.requests += 1;
      memory.requests += 1;
      return upperCasing(target, request, limits, memory);
    },
  });
  const { platform } = made;
  platform.settings = { ...platform.settings, invocation: { queries: 50, requests: 50 } };
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

it("lanes of one isolate share the plan of their run", async () => {
  const { platform } = harness();
  const dataset = await relayDataset(platform, 30);
  const open = async (id: string) => openRun(platform, (await platform.runs.get(id))!);
  const [one, other] = [await submitRun(platform, dataset), await submitRun(platform, dataset)];
  const { plan } = await open(one);
  expect((await open(one)).plan).toBe(plan);
  expect((await open(other)).plan).not.toBe(plan);
});
