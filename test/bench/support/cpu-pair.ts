import type { Pair } from "../bench.ts";
import { cpuMs } from "./cpu-ms.ts";

/** CPU time of one call of each function, ms, measured in direct succession. */
export const cpuPair = (minMs: number, measured: () => void, yardstick: () => void): Pair => ({
  measured: cpuMs(minMs, measured),
  yardstick: cpuMs(minMs, yardstick),
});
