import { parentPort, workerData } from "node:worker_threads";
import { peakHeapBytes } from "./peak-heap.ts";
import { ranked } from "./ranked.ts";

parentPort?.postMessage(peakHeapBytes(() => ranked(workerData as string[])));
