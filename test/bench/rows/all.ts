import type { Bench } from "../bench.ts";
import { arrayGrowth } from "./array-growth.ts";
import { batchRun } from "./batch-run.ts";
import { bootstrap } from "./bootstrap.ts";
import { board, comparison, pairs } from "./comparison.ts";
import { coldScoring, goldScoring, perturbedScoring } from "./dataset.ts";
import { endpointLatency } from "./endpoint-latency.ts";
import { fieldGrowth } from "./field-growth.ts";
import { finish, finishInPieces } from "./finish.ts";
import { hostileAnswers } from "./hostile-answers.ts";
import { longStrings } from "./long-strings.ts";
import { nestedArrays } from "./nested-arrays.ts";
import { npmStart } from "./npm-start.ts";
import { offline } from "./offline.ts";
import { installedPackage } from "./package.ts";
import { publication } from "./publication.ts";
import { ratings } from "./ratings.ts";
import { longBoard, readsUnderLoad } from "./reads.ts";
import { overheadByPart, serviceOverhead } from "./service-overhead.ts";
import { siteBuild, siteScore } from "./site-build.ts";
import { suiteGrowth } from "./suite-growth.ts";
import { otherSuites } from "./suites.ts";
import { workerStart } from "./worker-start.ts";

/** Every bench, in the order of the table. */
export const benches: readonly Bench[] = [
  goldScoring,
  perturbedScoring,
  coldScoring,
  fieldGrowth,
  ...arrayGrowth,
  ...nestedArrays,
  ...longStrings,
  hostileAnswers,
  ...otherSuites,
  ...suiteGrowth,
  bootstrap,
  comparison,
  ...pairs,
  board,
  ...finish,
  ...finishInPieces,
  offline,
  installedPackage,
  ...serviceOverhead,
  overheadByPart,
  batchRun,
  ratings,
  ...endpointLatency,
  ...readsUnderLoad,
  longBoard,
  publication,
  ...siteBuild,
  siteScore,
  workerStart,
  npmStart,
];
