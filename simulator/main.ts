import { globSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Simulator, startSimulator } from "./start-simulator.ts";

/** The port of `npm run simulator`. */
const defaultPort = "8790";

const stockDatasets = `${import.meta.dirname}/../shared/suites/*/stock.jsonl`;

/** Starts the simulator with the command line's options. */
function startFromArguments(): Promise<Simulator> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: defaultPort },
      seed: { type: "string", default: "1" },
      dataset: { type: "string", multiple: true },
      log: { type: "string" },
      faults: { type: "string" },
      "api-key": { type: "string" },
      "latency-scale": { type: "string", default: "1" },
      "batch-seconds": { type: "string", default: "5" },
      "batch-faults": { type: "string" },
    },
  });
  return startSimulator({
    port: numberOf("--port", values.port),
    seed: values.seed,
    datasets: values.dataset ?? globSync(stockDatasets),
    latencyScale: numberOf("--latency-scale", values["latency-scale"]),
    batchMs: numberOf("--batch-seconds", values["batch-seconds"]) * 1_000,
    ...(values["batch-faults"] !== undefined && { batchFaults: values["batch-faults"] }),
    ...(values.log !== undefined && { log: values.log }),
    ...(values.faults !== undefined && { faults: values.faults }),
    ...(values["api-key"] !== undefined && { apiKey: values["api-key"] }),
  });
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (text === "" || !(value >= 0)) throw new Error(`${option} must be a number, not '${text}'.`);
  return value;
}

try {
  const simulator = await startFromArguments();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void simulator.close());
  }
  console.log(`Simulator ready at ${simulator.baseUrl}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
