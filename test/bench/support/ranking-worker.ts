import { parentPort, workerData } from "node:worker_threads";
import { compareFolders } from "../../../cli/compare/compare-folders.ts";
import { peakHeapBytes } from "./peak-heap.ts";

const folders = workerData as string[];
// A first comparison of two folders excludes compiled code and prepared schemas from the measurement.
compareFolders(folders.slice(0, 2));
parentPort?.postMessage(peakHeapBytes(() => compareFolders(folders)));
