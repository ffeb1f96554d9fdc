import type { Bench, OnEnd } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { SdkLoop } from "../support/sdk-loop.ts";
import { treeCpuMs } from "../support/tree-cpu.ts";

/** Answers at once, so that the time is the service's own; its mistakes give the scoring something to do. */
const model = "sim-medium?latency=0";
const CONCURRENCY = 60;
const SAMPLES = 1_000;

const what = "1,000 samples through API, queue, endpoint, scoring, D1, R2 and summary; latency 0";
const yardstick = "a bare loop of the openai package with the same requests";

/** A whole run by the local service, from the submission to the finished run, and the same requests by the SDK alone. */
export const serviceOverhead: Bench = {
  rows: [
    {
      name: "service/run",
      what: `${what}; wall time`,
      unit: "ms",
      yardstick,
      target: { atMost: 2.2 },
    },
    {
      name: "service/run-cpu",
      what: `${what}; CPU time without the simulated endpoint`,
      unit: "ms",
      yardstick,
      target: { atMost: 2.2 },
    },
  ],
  async prepare({ scale }, onEnd) {
    const { service, loop, bodies, samples } = await prepared(scale, onEnd);
    return async () => {
      const before = treeCpuMs(service.pid);
      const { wallMs } = await service.evaluate({ model, samples, concurrency: CONCURRENCY });
      const cpuMs = treeCpuMs(service.pid) - before;
      const bare = await loop.ask(bodies, CONCURRENCY);
      return [
        { measured: wallMs, yardstick: bare.wallMs },
        { measured: cpuMs, yardstick: bare.cpuMs },
      ];
    };
  },
};

/** The part of it that no code of the service can save: what the local runtime takes for the requests alone. */
export const runtimeOverhead: Bench = {
  rows: [
    {
      name: "service/runtime-cpu",
      what: "the same requests by the same loop in the local runtime, without the service; CPU time",
      unit: "ms",
      yardstick,
    },
  ],
  async prepare({ scale }, onEnd) {
    const { service, loop, bodies } = await prepared(scale, onEnd, { metered: true });
    return async () => {
      const before = treeCpuMs(service.pid);
      await service.ask(bodies, CONCURRENCY);
      const cpuMs = treeCpuMs(service.pid) - before;
      return [{ measured: cpuMs, yardstick: (await loop.ask(bodies, CONCURRENCY)).cpuMs }];
    };
  },
};

async function prepared(scale: number, onEnd: OnEnd, kind = {}) {
  const samples = Math.max(10, Math.round(SAMPLES * scale));
  const service = await BenchService.start(samples, kind);
  onEnd(() => service.stop());
  const loop = await SdkLoop.start(service.simulator.baseUrl);
  onEnd(() => loop.stop());
  return { service, loop, samples, bodies: service.bodies(model, samples) };
}
