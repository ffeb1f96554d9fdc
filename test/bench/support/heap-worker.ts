import { parentPort, workerData } from "node:worker_threads";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { peakHeapBytes } from "./peak-heap.ts";
import { tasksOf } from "./suite-tasks.ts";
import { summingUp } from "./sum-up.ts";

const { id, dataset, count } = workerData as { id: string; dataset: string; count: number };
const suite = suiteById(id) as Suite;
parentPort?.postMessage(peakHeapBytes(summingUp(suite, tasksOf(suite, dataset), count)));
