import type { Suite } from "../../../shared/contracts/suite.ts";
import { type Fixture, hostileName } from "./fixture.ts";
import { aModel, listedRun } from "./fixture-runs.ts";
import { aSweep } from "./fixture-sweep.ts";

const numberOf = (value: unknown) => (typeof value === "number" ? value : 0);

/** Three parameters, one variant of which failed. */
const wide = (suite: Suite) =>
  aSweep(suite, {
    id: "sub-wide",
    model: aModel("acme/warm", "Warm", { simulated: true }),
    lists: { temperature: [0, 0.3, 0.7, 1], top_p: [0.9, 1], seed: [1, 2] },
    quality: ({ temperature, top_p }) => 0.9 - 0.5 * numberOf(temperature) * numberOf(top_p),
    failed: ({ temperature, top_p, seed }) => temperature === 1 && top_p === 1 && seed === 2,
  });

/** One parameter, with a clear best, of a model with a hostile name. */
const narrow = (suite: Suite) =>
  aSweep(suite, {
    id: "sub-narrow",
    model: aModel("mallory/line", hostileName),
    lists: { temperature: [null, 0, 1] },
    quality: ({ temperature }) => [0.3, 0.95, 0.1][[null, 0, 1].indexOf(temperature as never)] ?? 0,
  });

/** The fixture with two sweeps and the runs of their variants. */
export function withSweeps(usual: Fixture, suite: Suite): Fixture {
  const made = [wide(suite), narrow(suite)];
  const runs = made.flatMap((one) => one.runs);
  const sweeps = made.map(({ sweep }) => sweep);
  const { snapshot } = usual;
  return {
    ...usual,
    runs: [...usual.runs, ...runs],
    sweeps,
    snapshot: {
      ...snapshot,
      runs: [...snapshot.runs, ...runs.map(listedRun)],
      sweeps: sweeps.map(({ submission }) => ({ submission, hash: "h" })),
    },
  };
}
