import { expect, it } from "vitest";
import { mostDuplicates, proveRunner } from "./runner-proof.ts";

const SAMPLES = 100;
/** Of service and runner each. A killed runner's requests wait a minute for another. */
const KILLS = 1;
const TIMEOUT_MS = 1_200_000;

it(
  "a run through runners loses nothing when service and runners are killed, and rarely pays twice",
  async () => {
    const verdict = await proveRunner({ samples: SAMPLES, kills: KILLS, seed: "1" }, console.log);
    const { direct, tunnelled, ...counts } = verdict;
    console.log(JSON.stringify(counts));
    expect(counts).toMatchObject({
      serviceKills: KILLS,
      runnerKills: KILLS,
      rows: SAMPLES,
      samples: SAMPLES,
      left: 0,
      exits: [0, 0],
    });
    expect(tunnelled).toMatchObject({
      status: "finished",
      progress: { total: SAMPLES, done: SAMPLES, failed: 0 },
      provenance: { kind: "runner", runner: { name: "lab", owner: "local" } },
    });
    expect(tunnelled.provenance.runner?.keys.length).toBeGreaterThan(0);
    expect(tunnelled.metrics?.["eqs"]?.value).toBe(direct.metrics?.["eqs"]?.value);
    expect(counts.duplicates).toBeLessThanOrEqual(mostDuplicates(verdict));
  },
  TIMEOUT_MS,
);
