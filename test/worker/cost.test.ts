import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { portsOf } from "../../api/index.ts";
import type { Ports } from "../../api/pipeline/ports.ts";
import { costUsd } from "../bench/cost/prices.ts";
import { usageEach, usageSince } from "../bench/cost/usage.ts";
import { Meter } from "../bench/worker/meter.ts";
import { harness, relayDataset, submitRun } from "./harness.ts";

const SAMPLES = 1_000;
/** What a sample takes in the Worker at most; the benchmarks measure it. */
const CPU_MS = 10;
/** A message is written, read and deleted. */
const OPERATIONS = 3;

it("a run of 1,000 samples asks of the platform what it may, so that a million cost under $3", async () => {
  const meter = new Meter();
  const { suites: _, ask: __, queues: ___, ...counted } = portsOf(meter.bindings(env) as never);
  const { ports, deliverAll } = harness(counted);
  const sent = countSent(ports);
  const dataset = await relayDataset(ports, SAMPLES);
  const before = { ...meter.usage };
  const run = await submitRun(ports, dataset, { options: { concurrency: 60 } });
  await deliverAll();
  const used = usageEach(usageSince(before, meter.usage), SAMPLES);
  const queueOperations = (OPERATIONS * sent.count) / SAMPLES;
  expect(await ports.runs.get(run)).toMatchObject({ status: "finished", done: SAMPLES });
  expect(used.d1RowsWritten).toBeLessThanOrEqual(1.3);
  expect(used.r2ClassA).toBeLessThanOrEqual(0.1);
  expect(queueOperations).toBeLessThanOrEqual(0.2);
  const invocations = sent.count / SAMPLES;
  const cost = costUsd({ ...used, queueOperations, invocations, cpuMs: CPU_MS });
  console.log(JSON.stringify({ ...used, queueOperations, usdPerMillion: cost * 1e6 }));
  expect(cost * 1e6).toBeLessThan(3);
});

/** Counts the messages that are sent from here on. */
function countSent(ports: Ports): { count: number } {
  const { queues } = ports;
  const sent = { count: 0 };
  ports.queues = {
    ...queues,
    lanes(messages, delaySeconds) {
      sent.count += messages.length;
      return queues.lanes(messages, delaySeconds);
    },
    finish(message) {
      sent.count += 1;
      return queues.finish(message);
    },
  };
  return sent;
}
