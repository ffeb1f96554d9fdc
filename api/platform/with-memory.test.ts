import { describe, expect, it, vi } from "vitest";
import { beforeLargeWork } from "./lru-cache.ts";
import { withMemory } from "./with-memory.ts";

/** A clock that advances on `sleep`. */
function clock() {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms: number) => {
      await Promise.resolve();
      time += ms;
    },
  };
}

describe("withMemory()", () => {
  it("starts the next work when the previous one has ended or failed", async () => {
    const platform = clock();
    const log: string[] = [];
    const work = (name: string, fails = false) =>
      withMemory(platform, 1, async () => {
        log.push(`${name} begins`);
        await platform.sleep(1_000);
        log.push(`${name} ends`);
        if (fails) throw new Error("broken");
      });
    await Promise.allSettled([work("a", true), work("b"), work("c")]);
    expect(log.filter((_, i) => i % 2 === 0).map((line) => line[0])).toEqual(
      log.filter((_, i) => i % 2 === 1).map((line) => line[0]),
    );
    expect(log).toHaveLength(6);
  });

  it("waits at most a minute for work that shows no progress", async () => {
    const platform = clock();
    void withMemory(platform, 1, () => new Promise(() => {}));
    expect(await withMemory(platform, 1, async () => platform.now())).toBe(60_000);
  });

  it("waits longer for work that is still active", async () => {
    vi.useFakeTimers();
    try {
      const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
      const platform = { now: Date.now, sleep };
      const begun = Date.now();
      const first = withMemory(platform, 1, () => sleep(200_000));
      const second = withMemory(platform, 1, async () => Date.now() - begun);
      await vi.advanceTimersByTimeAsync(300_000);
      await first;
      expect(await second).toBeGreaterThanOrEqual(200_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it("frees memory before work that needs all of it, but not before smaller work", async () => {
    let count = 0;
    beforeLargeWork(() => count++);
    await withMemory(clock(), 0.5, async () => expect(count).toBe(0));
    await withMemory(clock(), 1, async () => expect(count).toBe(1));
  });

  it("runs work concurrently while the shares fit, and no small work overtakes large work", async () => {
    const platform = clock();
    const begun: [string, number][] = [];
    const work = (name: string, share: number) =>
      withMemory(platform, share, async () => {
        begun.push([name, platform.now()]);
        await platform.sleep(1_000);
      });
    const first = [work("half", 0.5), work("other half", 0.5), work("whole", 7), work("small", 0)];
    await Promise.all(first);
    const names = begun.map(([name]) => name);
    expect(names).toEqual(["half", "other half", "whole", "small"]);
    expect(begun[1]![1] - begun[0]![1]).toBeLessThan(1_000);
    expect(begun[2]![1] - begun[0]![1]).toBeGreaterThanOrEqual(1_000);
  });

  it("ignores waiting work that has not polled for five seconds", async () => {
    let time = 0;
    const now = () => time;
    const ended = withMemory({ now, sleep: async () => {} }, 1, () => new Promise(() => {}));
    void ended;
    const aborted = withMemory({ now, sleep: () => new Promise(() => {}) }, 1, async () => "never");
    void aborted;
    time = 61_000;
    const sleep = async (ms: number) => {
      time += ms;
    };
    expect(await withMemory({ now, sleep }, 1, async () => "mine")).toBe("mine");
  });
});
