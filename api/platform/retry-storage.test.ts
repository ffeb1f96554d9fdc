import { expect, it } from "vitest";
import type { Platform } from "./platform.ts";
import { Outage, retryStorage } from "./retry-storage.ts";

/** A platform with an object store that fails so many times with `error`. */
function storage(error: unknown, fails: number) {
  const waits: number[] = [];
  let calls = 0;
  const objects = {
    async get(key: string) {
      if (calls++ < fails) throw error;
      return `value of ${key}`;
    },
  };
  const names = [
    "runs",
    "boards",
    "datasets",
    "queues",
    "publications",
    "cleanup",
    "usage",
    "idempotency",
    "drifts",
    "republications",
    "schedules",
    "webhooks",
    "deliveries",
  ];
  const others = Object.fromEntries(names.map((name) => [name, {}]));
  const sleep = async (ms: number) => void waits.push(ms);
  const platform = retryStorage({ ...others, objects, sleep } as unknown as Platform, {
    sleep,
    random: () => 0.5,
  });
  return { waits, calls: () => calls, get: () => platform.objects.get("a") };
}

it("retryStorage() tries again after what may pass, waiting longer each time", async () => {
  const { get, waits, calls } = storage(new Error("D1_ERROR: Network connection lost"), 6);
  expect(await get()).toBe("value of a");
  expect(calls()).toBe(7);
  expect(waits).toHaveLength(6);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
});

it("retryStorage() calls what does not pass within seven tries an outage", async () => {
  const error = new Error("internal error");
  const { get, calls } = storage(error, 99);
  await expect(get()).rejects.toBeInstanceOf(Outage);
  expect(calls()).toBe(7);
});

it.each([
  [new Error("D1_ERROR: UNIQUE constraint failed: runs.id: SQLITE_CONSTRAINT")],
  [new Error("D1_TYPE_ERROR: Type 'undefined' not supported")],
  [new Error("no such column: done")],
  [new Error("missing object datasets/relay/ab/index.json")],
  [new TypeError("runs is not iterable")],
  [new RangeError("Invalid time value")],
])("retryStorage() does not try again what the call is to blame for: %s", async (error) => {
  const { get, calls, waits } = storage(error, 99);
  await expect(get()).rejects.toBe(error);
  expect([calls(), waits]).toEqual([1, []]);
});
