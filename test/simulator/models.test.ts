import { describe, expect, it } from "vitest";
import { aChat, post, readJson } from "./support/ask.ts";
import { rows } from "./support/rows.ts";
import { useSimulator } from "./support/simulator.ts";

const seeds = Array.from({ length: 12 }, (_, index) => index);

describe("models", () => {
  const simulator = useSimulator();

  /** Mean number of mistakes per sample over all rows and seeds. */
  async function meanMistakes(id: string): Promise<number> {
    const asked = seeds.flatMap((seed) =>
      rows.map((row) => post(simulator(), { ...aChat(id, row), seed })),
    );
    await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    const entries = simulator().log.entries.filter(({ model }) => model === id);
    expect(entries).toHaveLength(asked.length);
    return entries.reduce((sum, { mistakes }) => sum + mistakes.length, 0) / entries.length;
  }

  it("from best to worst are sim-large, sim-medium, sim-small and sim-tiny", async () => {
    const means = [0];
    for (const id of ["sim-large", "sim-medium", "sim-small", "sim-tiny"])
      means.push(await meanMistakes(id));
    for (let place = 1; place < means.length; place += 1) {
      expect(means[place]).toBeGreaterThan(1.5 * (means[place - 1] ?? 0) + 0.1);
    }
  });

  it("sim-equal-a and sim-equal-b make equally many but different mistakes", async () => {
    const [a, b] = [await meanMistakes("sim-equal-a"), await meanMistakes("sim-equal-b")];
    expect(Math.abs(a - b)).toBeLessThan(0.6);
    const contents = ["sim-equal-a", "sim-equal-b"].map(async (id) =>
      Promise.all(
        rows.map(
          async (row) => (await readJson(post(simulator(), aChat(id, row)))).choices?.[0]?.message,
        ),
      ),
    );
    const [first, second] = await Promise.all(contents);
    expect(first).not.toEqual(second);
  });

  it("sim-perfect and sim-instant make no mistakes", async () => {
    expect(await meanMistakes("sim-perfect")).toBe(0);
    expect(await meanMistakes("sim-instant")).toBe(0);
  });
});
