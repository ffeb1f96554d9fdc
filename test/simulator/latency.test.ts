import { describe, expect, it } from "vitest";
import { drawLatencyMs } from "../../simulator/delivery.ts";
import { drawsFrom } from "../../simulator/draws.ts";

const latency = { medianMs: 400, p95Ms: 900, lengthShare: 0.6 };

function sorted(tokens: number, scale: number, scaled = true): number[] {
  const draws = drawsFrom("latency");
  const all = Array.from({ length: 4000 }, () =>
    drawLatencyMs({ latency, scaled }, tokens, scale, draws),
  );
  return all.toSorted((a, b) => a - b);
}

describe("drawLatencyMs()", () => {
  it("has the given median and 95th percentile for 150 tokens", () => {
    const all = sorted(150, 1);
    expect(all[2000]).toBeGreaterThan(385);
    expect(all[2000]).toBeLessThan(415);
    expect(all[3800]).toBeGreaterThan(850);
    expect(all[3800]).toBeLessThan(950);
  });

  it("increases with the answer's length and the scale", () => {
    const median = sorted(150, 1)[2000] ?? 0;
    expect(sorted(300, 1)[2000]).toBeCloseTo(median * 1.6, 6);
    expect(sorted(150, 0.1)[2000]).toBeCloseTo(median * 0.1, 6);
    expect(sorted(150, 0.1, false)[2000]).toBeCloseTo(median, 6);
  });

  it("is exact if median and 95th percentile are equal", () => {
    const exact = { latency: { medianMs: 500, p95Ms: 500, lengthShare: 0 }, scaled: false };
    expect(drawLatencyMs(exact, 9, 1, drawsFrom("x"))).toBe(500);
  });
});
