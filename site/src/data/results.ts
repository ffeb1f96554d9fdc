import type { Run } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/sweep.ts";
import { inParallel } from "./in-parallel.ts";
import { settings } from "./settings.ts";
import { openSource } from "./source.ts";

// Enough to hide the API's latency without crowding a local one.
const parallelFetches = 8;

const source = openSource(settings);

/** Everything the site shows, loaded once a build. */
export const snapshot = await source.snapshot();

/** Runs with their breakdowns, newest first. */
export const runs: readonly Run[] = await inParallel(snapshot.runs, parallelFetches, source.run);

const found = await inParallel(snapshot.sweeps, parallelFetches, source.sweep);

/** Sweeps of parameters, newest first. */
export const sweeps: readonly Sweep[] = found.filter((sweep) => sweep !== null);
