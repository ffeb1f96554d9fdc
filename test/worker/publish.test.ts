import { expect, it } from "vitest";
import { sweep } from "../../api/pipeline/lanes/sweep.ts";
import type { Ports } from "../../api/pipeline/ports.ts";
import { latestSnapshot, publish } from "../../api/pipeline/publish.ts";
import { contentHash } from "../../shared/contracts/content-hash.ts";
import { snapshotSchema } from "../../shared/contracts/snapshot.ts";
import { problemOf, serve } from "./client.ts";
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

it("a snapshot is named by the hash of its content, and is served by it while it is the newest", async () => {
  const { ports, deliverAll } = harness();
  let reads = 0;
  const get: Ports["objects"]["get"] = (key) => {
    reads += 1;
    return ports.objects.get(key);
  };
  const api = serve({ ...ports, objects: { ...ports.objects, get } });
  await submitRun(ports, await relayDataset(ports, 3));
  await deliverAll();
  const response = await api.get("/v1/snapshot");
  const { hash, createdAt: _, ...content } = snapshotSchema.parse(await response.json());
  expect(contentHash(JSON.parse(JSON.stringify(content)))).toBe(hash);
  expect(response.headers.get("etag")).toBe(`"${hash}"`);
  const same = await api.get(`/v1/snapshots/${hash}`);
  expect(same.headers.get("cache-control")).toContain("immutable");
  expect(await same.json()).toMatchObject({ hash });
  reads = 0;
  for (const path of ["/v1/snapshot", `/v1/snapshots/${hash}`]) {
    const unchanged = await api.get(path, { "if-none-match": `"other", W/"${hash}"` });
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, `"${hash}"`]);
  }
  expect(reads).toBe(0);
  await submitRun(ports, await relayDataset(ports, 3));
  await deliverAll();
  const former = await api.get(`/v1/snapshots/${hash}`, { "if-none-match": `"${hash}"` });
  expect(former.status).toBe(410);
  expect((await problemOf(former)).detail).toContain("is not the newest snapshot");
  expect((await api.get("/v1/snapshots/newest")).status).toBe(422);
});
