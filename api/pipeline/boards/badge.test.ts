import { expect, it } from "vitest";
import { suiteById } from "#shared/suites/registry.ts";
import type { BoardRecord, Ports } from "../ports.ts";
import { badgeOf } from "./badge.ts";

const slug = "acme/m";

interface Place {
  value?: number;
  rank?: number | null;
  simulated?: boolean;
  kind?: "called" | "self-reported";
  /** Whether each judge is simulated. */
  judges?: boolean[];
}

/** Of a board and its entry only what a badge is made from. */
const aBoard = ({ value = 0.95, rank = 1, simulated = false, kind = "called", judges }: Place) =>
  ({
    suite: "s",
    headline: "f1",
    judging: judges && {
      judges: {
        tone: { routes: judges.map((one) => ({ provider: "p", model: "j", simulated: one })) },
      },
    },
    entries: [{ rank, model: { slug, simulated }, provenance: { kind }, headline: { value } }],
  }) as unknown as BoardRecord;

const portsWith = (boards: readonly BoardRecord[]) =>
  ({
    boards: { ofModel: async () => boards },
    suites: { byId: () => ({ metrics: [{ id: "f1", label: "F1" }] }) },
  }) as unknown as Ports;

it.each<[Place[], string, string]>([
  [[], "not evaluated", "lightgrey"],
  [[{}], "0.950 (called by Assay)", "brightgreen"],
  [[{ value: 0.5, kind: "self-reported" }], "0.500 (self-reported)", "red"],
  [[{ simulated: true }], "simulated model: 0.950 (called by Assay)", "lightgrey"],
  [[{ judges: [false, false] }], "0.950 (called by Assay)", "brightgreen"],
  [[{ judges: [false, true] }], "simulated judges: 0.950 (called by Assay)", "lightgrey"],
  [
    [{ simulated: true, judges: [true], kind: "self-reported" }],
    "simulated model and judges: 0.950 (self-reported)",
    "lightgrey",
  ],
  [[{ rank: null }], "not ranked", "lightgrey"],
  [[{ rank: null, simulated: true }], "simulated model: not ranked", "lightgrey"],
  [[{ rank: null }, { value: 0.8 }], "0.800 (called by Assay)", "green"],
])("badgeOf() of a model that stands as %j says %s", async (places, message, color) => {
  const badge = await badgeOf(portsWith(places.map(aBoard)), slug, null);
  expect(badge).toMatchObject({ message, color });
});

it.each([
  ["extraction", "0.813 (called by Assay)"],
  ["memory", "81.3% (called by Assay)"],
  ["tools", "81.3% (called by Assay)"],
])("badgeOf() prints the headline of %s as its metric says", async (suite, message) => {
  const board = { ...aBoard({ value: 0.8128 }), suite, headline: suiteById(suite)?.headline };
  const boards = { ofModel: async () => [board] };
  const ports = { boards, suites: { byId: suiteById } } as unknown as Ports;
  expect((await badgeOf(ports, slug, suite)).message).toBe(message);
});
