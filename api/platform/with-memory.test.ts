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
  it("begins the next work when the one before has ended, however that ended", async () => {
    const platform = clock();
    const said: string[] = [];
    const work = (name: string, fails = false) =>
      withMemory(platform, 1, async () => {
        said.push(`${name} begins`);
        await platform.sleep(1_000);
        said.push(`${name} ends`);
        if (fails) throw new Error("broken");
      });
    await Promise.allSettled([work("a", true), work("b"), work("c")]);
    expect(said.filter((_, i) => i % 2 === 0).map((line) => line[0])).toEqual(
      said.filter((_, i) => i % 2 === 1).map((line) => line[0]),
    );
    expect(said).toHaveLength(6);
  });

  it("waits a minute at the most for work that never ends", async () => {
    const platform = clock();
    void withMemory(platform, 1, () => new Promise(() => {}));
    expect(await withMemory(platform, 1, async () => platform.now())).toBe(60_000);
  });

  it("waits longer for work that continues", async () => {
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

  it("frees memory before work that needs all of it, not before other work", async () => {
    let count = 0;
    beforeLargeWork(() => count++);
    await withMemory(clock(), 0.5, async () => expect(count).toBe(0));
    await withMemory(clock(), 1, async () => expect(count).toBe(1));
  });

  it("runs work side by side while the shares fit, and lets no small one pass a large one", async () => {
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

  it("waits for nobody who has not looked for five seconds", async () => {
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
