import { availableParallelism, cpus, platform, totalmem } from "node:os";

/** The machine of a measurement. */
export const thisMachine = () => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: platform(),
});
