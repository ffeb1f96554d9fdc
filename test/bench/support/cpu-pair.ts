import type { Pair } from "../bench.ts";
import { cpuMs } from "./cpu-ms.ts";

/** CPU time of a call of each, ms, one measured right after the other. */
export const cpuPair = (minMs: number, measured: () => void, yardstick: () => void): Pair => ({
  measured: cpuMs(minMs, measured),
  yardstick: cpuMs(minMs, yardstick),
});
