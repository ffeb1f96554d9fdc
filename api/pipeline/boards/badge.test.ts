import { expect, test } from "vitest";
import { suiteById } from "#shared/suites/registry.ts";
import type { Ports } from "../ports.ts";
import { badgeOf } from "./badge.ts";

const value = 0.8128;

/** A model that leads a board of the suite by its headline. */
function portsOf(suite: string): Ports {
  const entry = {
    ...{ rank: 1, model: { slug: "m", simulated: false }, provenance: { kind: "called" } },
    headline: { value, interval: null, n: 9, coverage: 1 },
  };
  const board = { suite, headline: suiteById(suite)?.headline, entries: [entry] };
  return {
    boards: { ofModel: async () => [board] },
    suites: { byId: suiteById },
  } as unknown as Ports;
}

test.each([
  ["extraction", "0.813 (called by Assay)"],
  ["memory", "81.3% (called by Assay)"],
  ["tools", "81.3% (called by Assay)"],
])("badgeOf() prints the headline of %s as its metric says", async (suite, message) => {
  expect((await badgeOf(portsOf(suite), "m", suite)).message).toBe(message);
});
