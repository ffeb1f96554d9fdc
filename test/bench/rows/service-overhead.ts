import type { Bench } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { SdkLoop } from "../support/sdk-loop.ts";

/** Answers at once, so that the time is the service's own; its mistakes give the scoring something to do. */
const model = "sim-medium?latency=0";
const CONCURRENCY = 60;
const SAMPLES = 1_000;

/** A whole run by the local service, from the submission to the finished run, and the same requests by the SDK alone. */
export const serviceOverhead: Bench = {
  rows: [
    {
      name: "service/run",
      what: "1,000 samples through API, queue, endpoint, scoring, D1, R2 and summary; latency 0",
      unit: "ms",
      yardstick: "a bare loop of the openai package",
      target: { atMost: 2.2 },
    },
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(SAMPLES * scale));
    const service = await BenchService.start(samples);
    onEnd(() => service.stop());
    const loop = await SdkLoop.start(service.simulator.baseUrl);
    onEnd(() => loop.stop());
    return async () => {
      const { wallMs } = await service.evaluate({ model, samples, concurrency: CONCURRENCY });
      const prompts = service.prompts(samples);
      return [
        {
          measured: wallMs,
          yardstick: await loop.ask({ model, prompts, concurrency: CONCURRENCY }),
        },
      ];
    };
  },
};
