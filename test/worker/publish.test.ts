import { expect, it } from "vitest";
import { sweep } from "../../api/pipeline/lanes/sweep.ts";
import type { Ports } from "../../api/pipeline/ports.ts";
import { latestSnapshot, publish } from "../../api/pipeline/publish.ts";
import { harness, relayDataset, submitRun } from "./harness.ts";

/** Ports whose snapshot is taken, but not yet written until `go` is called. */
function held(ports: Ports) {
  let go = () => {};
  let wait = new Promise<void>((resolve) => {
    go = resolve;
  });
  let reached = () => {};
  const taken = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const put: Ports["objects"]["put"] = async (key, value) => {
    reached();
    await wait;
    wait = Promise.resolve();
    return ports.objects.put(key, value);
  };
  return { ports: { ...ports, objects: { ...ports.objects, put } }, taken, go: () => go() };
}

it("of two that publish at once the one that knows more stands", async () => {
  const { ports, deliverAll } = harness();
  await submitRun(ports, await relayDataset(ports, 3));
  await deliverAll();
  const dataset = await relayDataset(ports, 3);
  await ports.publications.markChanged();
  const slow = held(ports);
  const publishing = publish(slow.ports);
  await slow.taken;
  const run = await submitRun(ports, dataset);
  await deliverAll();
  expect(JSON.stringify(await latestSnapshot(ports))).toContain(run);
  slow.go();
  await publishing;
  expect(JSON.stringify(await latestSnapshot(ports))).toContain(run);
});

it("a run on no board is published though the Worker died as it ended", async () => {
  const { ports } = harness();
  const dies = () => Promise.reject(new Error("the Worker is gone"));
  const dying = harness({ publications: { ...ports.publications, markChanged: dies } });
  const options = { sample: { n: 2 } };
  const run = await submitRun(dying.ports, await relayDataset(ports, 4), { options });
  await dying.deliverAll();
  expect(await ports.runs.get(run)).toMatchObject({ status: "finished", boardId: null });
  await sweep(ports);
  expect(JSON.stringify(await latestSnapshot(ports))).toContain(run);
});
