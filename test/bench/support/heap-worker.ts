import { parentPort, workerData } from "node:worker_threads";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import type { SummedUp } from "./needed-heap.ts";
import { peakHeapBytes } from "./peak-heap.ts";
import { tasksOf } from "./suite-tasks.ts";
import { summingUp, summingUpInPieces } from "./sum-up.ts";

const { id, dataset, count, inPieces } = workerData as SummedUp;
const suite = suiteById(id) as Suite;
const prepare = inPieces ? summingUpInPieces : summingUp;
parentPort?.postMessage(peakHeapBytes(prepare(suite, tasksOf(suite, dataset), count)));
