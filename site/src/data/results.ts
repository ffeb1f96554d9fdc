import type { Run } from "#shared/contracts/run.ts";
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
