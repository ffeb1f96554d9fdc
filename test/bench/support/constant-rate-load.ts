import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Requests to one URL at a constant rate, independent of earlier answers. */
export interface Load {
  url: string;
  perSecond: number;
  seconds: number;
}

/**
 * Latencies from sending a request to the end of its answer, ms, ascending. Requests are sent on time regardless of slow
 * answers, so that a slow answer does not delay later measurements. Throws if an answer is not 200.
 */
export async function constantRateLoad({ url, perSecond, seconds }: Load): Promise<Float64Array> {
  const agent = new Agent({ keepAlive: true });
  const count = Math.max(1, Math.round(perSecond * seconds));
  const begun = performance.now();
  const answered: Promise<number>[] = [];
  for (let i = 0; i < count; i++) {
    const dueIn = begun + (1000 * i) / perSecond - performance.now();
    if (dueIn > 1) await sleep(dueIn);
    const latency = latencyMs(url, agent);
    // Failures are reported after all requests have ended.
    latency.catch(() => {});
    answered.push(latency);
  }
  try {
    return Float64Array.from(await Promise.all(answered)).sort();
  } finally {
    agent.destroy();
  }
}

function latencyMs(url: string, agent: Agent): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const ask = () => {
      const request = get(url, { agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.on("end", () => resolve(performance.now() - begun));
        response.on("error", reject).resume();
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection just as it is reused. Like other clients, retry on a new one.
        if (request.reusedSocket && error.code === "ECONNRESET") ask();
        else reject(error);
      });
    };
    ask();
  });
}
