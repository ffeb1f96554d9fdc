import { expect, it } from "vitest";
import type { Metric } from "#shared/contracts/metric.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { badgeColor } from "./badge-color.ts";

it.each<[Pick<Metric, "unit" | "better">, number, string]>([
  [{ unit: "ratio", better: "higher" }, 0.9, "brightgreen"],
  [{ unit: "ratio", better: "higher" }, 0.75, "green"],
  [{ unit: "ratio", better: "higher" }, 0.6, "yellow"],
  [{ unit: "ratio", better: "higher" }, 0.59, "red"],
  [{ unit: "ratio", better: "lower" }, 0.99, "blue"],
  [{ unit: "level", better: "higher" }, 4.5, "blue"],
  [{ unit: "ms", better: "lower" }, 0.5, "blue"],
])("badgeColor() of a metric %j without limits at %s is %s", (metric, value, color) => {
  expect(badgeColor({}, { id: "m", ...metric }, value)).toBe(color);
});

it.each([
  ["latencyP95", 900, "brightgreen"],
  ["latencyP95", 1500, "green"],
  ["latencyP95", 5000, "yellow"],
  ["latencyP95", 5001, "red"],
  ["hallucinationRate", 0.01, "brightgreen"],
  ["hallucinationRate", 0.5, "red"],
  ["validity", 0.94, "red"],
  ["eqs", 0.91, "brightgreen"],
])("badgeColor() goes by the limits of extraction: %s of %s is %s", (id, value, color) => {
  const suite = suiteById("extraction");
  expect(
    badgeColor(
      suite,
      suite?.metrics.find((metric) => metric.id === id),
      value,
    ),
  ).toBe(color);
});

it("badgeColor() judges nothing of a suite that describes answers", () => {
  const quality = suiteById("quality");
  const metrics = quality?.metrics.filter(({ unit }) => unit === "ratio") ?? [];
  for (const metric of metrics) {
    for (const value of [0.05, 0.65, 0.95]) expect(badgeColor(quality, metric, value)).toBe("blue");
  }
  expect(metrics.length).toBeGreaterThan(5);
});

it("badgeColor() of a metric that the suite has no longer judges nothing", () => {
  expect(badgeColor(undefined, undefined, 0.99)).toBe("blue");
});
