import { describe, expect, it } from "vitest";
import { type Reading, serviceReadings } from "../../../shared/measures/report/figures/reading.ts";
import { levelNames, type Tier } from "../../../shared/measures/report/figures/tier.ts";
import { extractionReadings, thresholds } from "../../../shared/suites/extraction/thresholds.ts";
import { memoryReadings } from "../../../shared/suites/memory/report/summary-section.ts";
import { defaultOptions } from "../../../shared/suites/pairs/options.ts";
import { pairsReadings } from "../../../shared/suites/pairs/report/summary-section.ts";
import { slotsReadings } from "../../../shared/suites/slots/report/summary-section.ts";
import { toolsReadings } from "../../../shared/suites/tools/report/summary-section.ts";
import { methodologyText } from "./methodology-text.ts";

const suites: [id: string, readings: readonly Reading[], deciding: string[]][] = [
  ["slots", slotsReadings, ["f1", "precision", "recall", "valueF1"]],
  ["tools", toolsReadings({ headline: "total" }), ["avgF1", "allRight", "irrelevanceAccuracy"]],
  ["memory", memoryReadings, ["mcs", "memory_utilization", "groundedness", "safety"]],
  ["pairs", pairsReadings(defaultOptions), ["accuracy"]],
];

describe.each(suites)("the levels in the methodology of %s", (id, readings, deciding) => {
  const { text } = methodologyText(id);
  const [first] = readings;

  it("are described as a reading aid, not a standard", () => {
    expect(text).toContain("sets no thresholds");
    expect(text).toContain("a reading aid of this project, not a standard");
  });

  it("match the limits in the code", () => {
    const { minimum = 0, target = 0, excellence = 0 } = first?.limits ?? {};
    for (const [tier, from] of Object.entries({ minimum, target, excellence, fails: 0 })) {
      const level = `| ${levelNames[tier as Tier]} | ${from === 0 ? "0" : from.toFixed(2)} |`;
      expect(text).toContain(level);
    }
    expect(text).toContain("The level that a measure reaches is its grade in a report.");
  });

  it("are decided by the expected metrics", () => {
    expect(readings.filter(({ decides }) => decides).map(({ metric }) => metric)).toEqual(deciding);
  });

  it("have no letter grades", () => {
    expect(readings.every(({ limits, letters }) => limits !== null && letters === undefined)).toBe(
      true,
    );
  });
});

describe("thresholds of extraction", () => {
  const { text } = methodologyText("extraction");
  const names: Readonly<Record<string, string>> = {
    eqs: "EQS",
    validity: "validity",
    partialF1: "partial F1",
    successRate: "success rate",
    hallucinationRate: "hallucination rate",
    latencyP95: "latency p95",
  };

  it.each(thresholds)("of $metric are in the methodology", ({ metric, format, ...limits }) => {
    const cell = (limit: number) => {
      if (format === "ms") return `${limit.toLocaleString("en")} ms`;
      return format === "percent" ? `${Number((100 * limit).toFixed(1))}%` : limit.toFixed(2);
    };
    const row = [limits.minimum, limits.target, limits.excellence].map(cell);
    expect(text).toContain(`| ${names[metric]} | ${row.join(" | ")} |`);
  });

  it("of latency and success are the same in every suite", () => {
    for (const { metric, limits } of serviceReadings) {
      expect(extractionReadings.find((one) => one.metric === metric)?.limits).toEqual(limits);
    }
  });
});
