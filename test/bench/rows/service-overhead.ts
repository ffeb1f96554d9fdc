import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import type { Bench, OnEnd } from "../bench.ts";
import { usageSince } from "../cost/usage.ts";
import { BenchService } from "../support/bench-service.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { scoreTask } from "../support/extraction.ts";
import { SdkLoop } from "../support/sdk-loop.ts";
import { tasksOf } from "../support/suite-tasks.ts";
import { summingUp } from "../support/sum-up.ts";
import { treeCpuMs } from "../support/tree-cpu.ts";

/** Answers at once, so that the time is the service's own; its errors give the scoring realistic work. */
const model = "sim-medium?latency=0";
const CONCURRENCY = 60;
const SAMPLES = 1_000;
const extraction = suiteById("extraction") as Suite;

const what = "1,000 samples through API, queue, endpoint, scoring, D1, R2 and summary; latency 0";
const yardstick = "a bare loop with the openai package and the same requests";

/** A whole run by the local service, from submission to finish, compared with the same requests by only the SDK. */
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

const part = (name: string, work: string) => ({
  name: `service/part-${name}`,
  what: `${work}; CPU time`,
  unit: "ms",
  yardstick,
});

/** CPU time of single parts of that run; the rest is other work of the service and garbage collection. */
export const serviceParts: Bench = {
  rows: [
    part("requests", "part of service/run-cpu: the same loop in the local runtime"),
    part("storage", "part of service/run-cpu: as many D1 and R2 calls in the local runtime"),
    part("scoring", "part of service/run-cpu: scoring the samples in Node"),
    part("summing", "part of service/run-cpu: aggregation with all intervals in Node"),
  ],
  async prepare({ scale, dataset, minMs }, onEnd) {
    const { service, loop, bodies, samples } = await prepared(scale, onEnd, { metered: true });
    const before = await service.usage();
    await service.evaluate({ model, samples, concurrency: CONCURRENCY });
    const used = usageSince(before, await service.usage());
    const cpuOf = async (work: () => Promise<void>) => {
      const begun = treeCpuMs(service.pid);
      await work();
      return treeCpuMs(service.pid) - begun;
    };
    const tasks = tasksOf(extraction, dataset);
    const sumUp = summingUp(extraction, tasks, samples);
    const scoreOnce = () => {
      for (let i = 0; i < samples; i++) scoreTask(tasks[i % tasks.length]!);
    };
    return async () => {
      const parts = [
        await cpuOf(() => service.ask(bodies, CONCURRENCY)),
        await cpuOf(() => service.store(used, samples)),
        cpuMs(minMs, scoreOnce),
        cpuMs(minMs, sumUp),
      ];
      const bare = await loop.ask(bodies, CONCURRENCY);
      return parts.map((measured) => ({ measured, yardstick: bare.cpuMs }));
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
