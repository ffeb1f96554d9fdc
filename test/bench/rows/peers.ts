import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, OnEnd, Settings } from "../bench.ts";
import { inspect } from "../peers/inspect.ts";
import { type Peer, type PeerCost, peakMbDuring } from "../peers/peer.ts";
import { promptfoo } from "../peers/promptfoo.ts";
import { BenchService } from "../support/bench-service.ts";

const CONCURRENCY = 60;
const QUICK = { model: "sim-medium?latency=0", samples: 1_000 };
const SLOW = { model: "sim-perfect?latency=500", samples: 1_200 };

/** The service compared with another tool: same samples, requests and simulated endpoint, one after the other. */
export const peers: readonly Bench[] = [promptfoo, inspect].map((peer) => {
  const id = peer.name.split(" ")[0]!.toLowerCase();
  const isHeld = peer === promptfoo;
  return {
    repeats: 3,
    rows: [
      {
        name: `peers/${id}`,
        what: "1,000 samples through the whole service, latency 0",
        unit: "s",
        yardstick: `${peer.name}, including its start`,
        ...(isHeld && { target: { atLeast: 10 } }),
      },
      {
        name: `peers/${id}-memory`,
        what: "peak memory of all processes of the service during that run",
        unit: "MB",
        yardstick: `the processes of ${peer.name}`,
        ...(isHeld && { target: { atMost: 1.2 } }),
      },
    ],
    prepare: (settings, onEnd) => sideBySide(peer, QUICK, settings, onEnd),
  };
});

/** The same comparison with answers after half a second; only one round, since it takes long. */
export const slowPeers: Bench = {
  repeats: 1,
  rows: [
    {
      name: "peers/promptfoo-wait",
      what: "1,200 samples through the whole service, 60 at once, answers after 500 ms",
      unit: "s",
      yardstick: `${promptfoo.name}, including its start`,
    },
  ],
  async prepare(settings, onEnd) {
    const measure = await sideBySide(promptfoo, SLOW, settings, onEnd);
    return async () => (await measure()).slice(0, 1);
  },
};

async function sideBySide(peer: Peer, asked: typeof QUICK, { scale }: Settings, onEnd: OnEnd) {
  peer.install();
  const { model } = asked;
  const samples = Math.max(10, Math.round(asked.samples * scale));
  const service = await BenchService.start(samples);
  onEnd(() => service.stop());
  const { baseUrl } = service.simulator;
  const bodies = service.bodies(model, samples);
  const expected = service.expected(samples);
  const ours = async (): Promise<PeerCost> => {
    const work = service.evaluate({ model, samples, concurrency: CONCURRENCY });
    const [{ wallMs }, peakMb] = await Promise.all([work, peakMbDuring(service.pid, work)]);
    return { wallMs, peakMb };
  };
  // A first run compiles the code; the other tool's time includes its start.
  await ours();
  return async () => {
    const measured = await ours();
    const before = service.simulator.log.entries.length;
    const yardstick = await inFolder((folder) =>
      peer.run({ folder, baseUrl, model, concurrency: CONCURRENCY, bodies, expected }),
    );
    const answered = service.simulator.log.entries.length - before;
    if (answered < samples) throw new Error(`${peer.name} requested ${answered} of ${samples}`);
    return [
      { measured: measured.wallMs / 1_000, yardstick: yardstick.wallMs / 1_000 },
      { measured: measured.peakMb, yardstick: yardstick.peakMb },
    ];
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "assay-peer-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
