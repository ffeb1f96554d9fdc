import { parentPort, workerData } from "node:worker_threads";
import { peakHeapBytes } from "./peak-heap.ts";
import { summingUp } from "./sum-up.ts";

const { dataset, count } = workerData as { dataset: string; count: number };
parentPort?.postMessage(peakHeapBytes(summingUp(dataset, count)));
