import { parentPort, workerData } from "node:worker_threads";
import { compareFolders } from "../../../cli/compare/compare-folders.ts";
import { peakHeapBytes } from "./peak-heap.ts";

const folders = workerData as string[];
// First with two, so that compiled code and prepared schemas do not count.
compareFolders(folders.slice(0, 2));
parentPort?.postMessage(peakHeapBytes(() => compareFolders(folders)));
