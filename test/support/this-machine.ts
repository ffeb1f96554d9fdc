import { availableParallelism, cpus, platform, totalmem } from "node:os";

/** What a measurement was made on. */
export const thisMachine = () => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: platform(),
});
