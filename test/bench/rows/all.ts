import type { Bench } from "../bench.ts";
import { arrayGrowth } from "./array-growth.ts";
import { batchRun } from "./batch-run.ts";
import { bootstrap } from "./bootstrap.ts";
import { comparison } from "./comparison.ts";
import { goldScoring, perturbedScoring } from "./dataset.ts";
import { endpointLatency } from "./endpoint-latency.ts";
import { fieldGrowth } from "./field-growth.ts";
import { finish, finishInPieces } from "./finish.ts";
import { hostileAnswers } from "./hostile-answers.ts";
import { npmStart } from "./npm-start.ts";
import { offlineMemory, offlineSpeed } from "./offline.ts";
import { installedPackage } from "./package.ts";
import { peers, slowPeers } from "./peers.ts";
import { publication } from "./publication.ts";
import { rankedRuns } from "./ranked-runs.ts";
import { ratings } from "./ratings.ts";
import { readsUnderLoad } from "./reads.ts";
import { serviceOverhead, serviceParts } from "./service-overhead.ts";
import { siteBuild, siteRebuild, siteScore } from "./site-build.ts";
import { workerStart } from "./worker-start.ts";

/** Every bench, in the order of the table. */
export const benches: readonly Bench[] = [
  goldScoring,
  perturbedScoring,
  fieldGrowth,
  ...arrayGrowth,
  hostileAnswers,
  bootstrap,
  comparison,
  rankedRuns,
  ...finish,
  ...finishInPieces,
  offlineSpeed,
  offlineMemory,
  installedPackage,
  serviceOverhead,
  serviceParts,
  ...peers,
  slowPeers,
  batchRun,
  ratings,
  ...endpointLatency,
  readsUnderLoad,
  publication,
  siteBuild,
  siteRebuild,
  siteScore,
  workerStart,
  npmStart,
];
