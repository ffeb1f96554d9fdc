import { parseArgs } from "node:util";
import { loadsOf, readRehearsal } from "../rehearsal/record.ts";
import { positive, wholeNumber } from "../support/number-options.ts";
import { alike, demandOf, standardDeployment, usualLatencyMs, usualLoads } from "./demand.ts";
import { type Prediction, predict } from "./predict.ts";

const usage = `npm run scale [-- options]

Predicts the load of N samples per day on Cloudflare from the use per sample in the last recorded rehearsal: the use of
each limit, how to raise it, and the cost.

  --samples-per-day N   (default: 100,000, a million, ten and a hundred million)
  --latency MS          mean latency of the endpoint (default ${usualLatencyMs})
  --consumers N         parallel lanes (default ${standardDeployment.consumers}, as in wrangler.toml; at most 250)
  --databases N         databases for runs (default 1, the current number)
  --commit-ms MS        assumed time of a writing call in the database (default ${standardDeployment.commitMs})
  --help                show this`;

const count = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 });
const usd = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      "samples-per-day": { type: "string" },
      latency: { type: "string", default: `${usualLatencyMs}` },
      consumers: { type: "string", default: `${standardDeployment.consumers}` },
      databases: { type: "string", default: `${standardDeployment.databases}` },
      "commit-ms": { type: "string", default: `${standardDeployment.commitMs}` },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const loads = loadsOf(readRehearsal().scenes);
  const demand = demandOf(loads, positive("--latency", values.latency));
  const slowest = alike(loads).at(-1)!.latencyMs;
  if (demand.latencyMs > slowest) {
    console.error(
      `The use per sample was measured at endpoints of up to ${slowest} ms. At ${demand.latencyMs} ms it is higher than predicted here, because lanes save every few seconds and renew their leases.\n`,
    );
  }
  const deployment = {
    ...standardDeployment,
    consumers: wholeNumber("--consumers", values.consumers, 250),
    databases: wholeNumber("--databases", values.databases, 50_000),
    commitMs: positive("--commit-ms", values["commit-ms"]),
  };
  const wanted = values["samples-per-day"];
  const perDay = wanted === undefined ? usualLoads : [positive("--samples-per-day", wanted)];
  for (const load of perDay) console.log(scaleTable(predict(load, demand, deployment)));
}

/** A prediction as lines. */
function scaleTable(prediction: Prediction): string {
  const { samplesPerDay, uses, mostPerDay, hours, daysUntilFull, usdPerMonth } = prediction;
  const width = Math.max(...uses.map(({ name }) => name.length));
  return [
    `${count.format(samplesPerDay)} samples per day (this deployment can process ${count.format(mostPerDay)}): ${count.format(hours)} hours of work`,
    ...uses.flatMap(({ name, share, allows, lift }) => [
      `  ${name.padEnd(width)}  ${percent.format(share).padStart(7)} used   ${allows}`,
      ...(share > 1 ? [`  ${" ".repeat(width)}  to lift it: ${lift}`] : []),
    ]),
    `  D1 is full after ${count.format(daysUntilFull)} days if all sample rows stay in it; rows of ended runs move to R2`,
    `  per month: ${usd.format(usdPerMonth.running)} for running, ${usd.format(usdPerMonth.storage)} for storage`,
    "",
  ].join("\n");
}
