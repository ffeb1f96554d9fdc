import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eachAtOnce, objectStore } from "../../../api/platform/object-store.ts";
import { useMiniflareR2, useQuickStorage } from "../quick-storage/quick-storage.ts";

const bucket = (env as unknown as { RESULTS: R2Bucket }).RESULTS;
const objects = objectStore(bucket);
const aKey = () => `test/${crypto.randomUUID()}.json`;

describe.each([
  ["over miniflare's R2", useMiniflareR2],
  ["over the quick bucket of the tests", useQuickStorage],
])("objectStore() %s", (_over, use) => {
  beforeAll(use);
  afterAll(useQuickStorage);

  it("stores objects by key, lists them by prefix, and removes them", async () => {
    const folder = `test/${crypto.randomUUID()}`;
    await objects.put(`${folder}/a.json`, { a: [1, null, "ü"] });
    await objects.put(`${folder}/b.json`, 2);
    expect(await objects.get(`${folder}/a.json`)).toEqual({ a: [1, null, "ü"] });
    expect(await objects.get(`${folder}/c.json`)).toBeNull();
    expect(await objects.keys(`${folder}/`)).toEqual([`${folder}/a.json`, `${folder}/b.json`]);
    await objects.remove([`${folder}/a.json`]);
    expect(await objects.keys(`${folder}/`)).toEqual([`${folder}/b.json`]);
  });

  it("putOnce() never overwrites", async () => {
    const key = aKey();
    expect(await objects.putOnce(key, '{"a":1}')).toBe(true);
    expect(await objects.putOnce(key, '{"a":2}')).toBe(false);
    expect(await (await bucket.get(key))?.text()).toBe('{"a":1}');
  });

  it("putOnce() accepts one of several concurrent writers", async () => {
    const key = aKey();
    const written = await Promise.all([1, 2, 3, 4, 5].map((n) => objects.putOnce(key, `${n}`)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await objects.get(key)).toBe(1 + written.indexOf(true));
  });

  it("stores texts in parts, and reads ranges of bytes that exist", async () => {
    const folder = `test/${crypto.randomUUID()}`;
    await objects.putText(`${folder}/parts`, ['{"a":', '"ü"}']);
    await objects.putBytes(`${folder}/bytes`, new Uint8Array([0, 1, 2, 255]));
    expect(await objects.getText(`${folder}/parts`)).toBe('{"a":"ü"}');
    const range = async (offset: number, length: number) => {
      const found = await objects.getBytes(`${folder}/bytes`, offset, length);
      return found && [...new Uint8Array(found)];
    };
    expect(await range(1, 2)).toEqual([1, 2]);
    expect(await range(3, 9)).toEqual([255]);
    await expect(range(4, 1)).rejects.toThrow();
    await expect(range(5, 1)).rejects.toThrow("10039");
    await expect(range(1, 0)).rejects.toThrow();
    expect(await objects.getBytes(`${folder}/none`, 0, 1)).toBeNull();
    expect(await objects.bytes(`${folder}/`)).toBe(14);
  });

  it("update() loses no change of concurrent writers", async () => {
    const key = aKey();
    const add = (n: number) => (kept: Record<string, number> | null) => ({ ...kept, [n]: n });
    await Promise.all([1, 2, 3, 4, 5].map((n) => objects.update(key, add(n))));
    expect(await objects.get(key)).toEqual({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 });
  });
});

it("objectStore().bytes() counts the objects of every page of a list", async () => {
  const page = (size: number) => Array.from({ length: 1_000 }, () => ({ size }));
  const pages: Record<string, object> = {
    "": { objects: page(2), truncated: true, cursor: "second" },
    second: { objects: page(3), truncated: false },
  };
  const list = async ({ cursor = "" }: R2ListOptions) => pages[cursor];
  expect(await objectStore({ list } as unknown as R2Bucket).bytes("runs/")).toBe(5_000);
});

it("eachAtOnce() leaves one of six connections free", async () => {
  const most = { underWay: 0 };
  let underWay = 0;
  await eachAtOnce(Array.from({ length: 20 }), async () => {
    most.underWay = Math.max(most.underWay, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 1));
    underWay -= 1;
  });
  expect(most.underWay).toBe(5);
});
