import { describe, expect, it } from "vitest";
import { withMutex } from "./mutex.ts";

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

describe("withMutex()", () => {
  it("begins the next work when the one before has ended, however that ended", async () => {
    const platform = clock();
    const said: string[] = [];
    const work = (name: string, fails = false) =>
      withMutex(platform, async () => {
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
    void withMutex(platform, () => new Promise(() => {}));
    expect(await withMutex(platform, async () => platform.now())).toBe(60_000);
  });
});
