import { expect, it } from "vitest";
import type { Platform } from "./platform.ts";
import { Outage, retryStorage, throughOutage } from "./retry-storage.ts";

/** A platform whose object store fails `fails` times with `error`. */
function storage(error: unknown, fails: number, callMs = 0) {
  const waits: number[] = [];
  const clock = { now: 0 };
  let calls = 0;
  const objects = {
    async get(key: string) {
      clock.now += callMs;
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
    "apiKeys",
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
    now: () => clock.now,
    random: () => 0.5,
  });
  return { waits, calls: () => calls, get: () => platform.objects.get("a") };
}

it("retryStorage() retries temporary errors with growing waits", async () => {
  const { get, waits, calls } = storage(new Error("D1_ERROR: Network connection lost"), 6);
  expect(await get()).toBe("value of a");
  expect(calls()).toBe(7);
  expect(waits).toHaveLength(6);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
});

it("retryStorage() retries a write for longer than the limit of one write per second and object", async () => {
  const refused = "put: Reduce your concurrent request rate for the same object. (10058)";
  const { get, waits } = storage(new Error(refused), 6);
  await expect(get()).resolves.toBe("value of a");
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(1_000);
});

it("retryStorage() throws Outage after seven failed tries", async () => {
  const error = new Error("internal error");
  const { get, calls } = storage(error, 99);
  await expect(get()).rejects.toBeInstanceOf(Outage);
  expect(calls()).toBe(7);
});

it("retryStorage() tries only once during a known outage, and seven times again after a success", async () => {
  const { get, calls } = storage(new Error("D1_ERROR: D1 DB is overloaded."), 8);
  await expect(get()).rejects.toBeInstanceOf(Outage);
  await expect(get()).rejects.toBeInstanceOf(Outage);
  expect(calls()).toBe(8);
  expect(await get()).toBe("value of a");
  expect(calls()).toBe(9);
});

it("retryStorage() does not retry a call that hung until D1 ended it", async () => {
  const error = new Error(
    "D1 DB storage operation exceeded timeout which caused object to be reset.",
  );
  const { get, calls } = storage(error, 99, 30_000);
  await expect(get()).rejects.toBeInstanceOf(Outage);
  expect(calls()).toBe(1);
});

it("throughOutage() waits longer each time, at most ten seconds, until its deadline", async () => {
  const waits: number[] = [];
  const clock = { now: 0 };
  const around = {
    now: () => clock.now,
    sleep: async (ms: number) => {
      waits.push(ms);
      clock.now += ms;
    },
  };
  let retries = 0;
  const call = () => Promise.reject(new Outage("away"));
  const tried = throughOutage(around, 600_000, call, () => void retries++);
  await expect(tried).rejects.toBeInstanceOf(Outage);
  expect(waits.slice(0, 7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect([clock.now, retries]).toEqual([600_000, waits.length]);
  // A commit has eight statements; an invocation may use a thousand queries.
  expect(waits.length * 8).toBeLessThan(550);
});

it.each([
  [new Error("D1_ERROR: UNIQUE constraint failed: runs.id: SQLITE_CONSTRAINT")],
  [new Error("D1_TYPE_ERROR: Type 'undefined' not supported")],
  [new Error("no such column: done")],
  [new Error("missing object datasets/relay/ab/index.json")],
  [new TypeError("runs is not iterable")],
  [new RangeError("Invalid time value")],
])("retryStorage() does not retry an error that the call itself caused: %s", async (error) => {
  const { get, calls, waits } = storage(error, 99);
  await expect(get()).rejects.toBe(error);
  expect([calls(), waits]).toEqual([1, []]);
});
