import { afterAll, beforeAll } from "vitest";
import { type Simulator, startSimulator } from "../../../simulator/start-simulator.ts";
import { rows } from "./rows.ts";

/** Starts a simulator with the rows and without latency for the tests of a file. */
export function useSimulator(
  options: NonNullable<Parameters<typeof startSimulator>[0]> = {},
): () => Simulator {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ datasets: [rows], latencyScale: 0, ...options });
  });
  afterAll(() => simulator.close());
  return () => simulator;
}
