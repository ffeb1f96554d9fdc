import type { Bench, BenchRow, Target } from "../bench.ts";
import { costFigures, costLatencies, costRow } from "../cost/cost-row.ts";
import { costUsd, pricesReadOn, usdPerMillion } from "../cost/prices.ts";
import { usageEach, usageSince } from "../cost/usage.ts";
import { BenchService } from "../support/bench-service.ts";
import { cpuByPart } from "../support/cpu-by-part.ts";
import { connectInspector } from "../support/inspector.ts";

const words = "per unjudged sample of a 1,000-sample run";

interface Figure extends Omit<BenchRow, "name"> {
  id: string;
}

const figures: readonly Figure[] = [
  {
    id: "d1-rows-written",
    what: "rows written to D1, indexes included",
    unit: "",
    target: { atMost: 1.3, words: `≤ 1.3 ${words}` },
  },
  { id: "d1-rows-read", what: "rows that D1 read", unit: "" },
  { id: "d1-calls", what: "calls to D1", unit: "" },
  { id: "d1-transactions", what: "calls to D1 that wrote", unit: "" },
  {
    id: "queue-operations",
    what: "messages written, read and deleted",
    unit: "",
    target: { atMost: 0.2, words: `≤ 0.2 ${words}` },
  },
  {
    id: "r2-writes",
    what: "objects written to R2, or listed",
    unit: "",
    target: { atMost: 0.1, words: `≤ 0.1 ${words}` },
  },
  { id: "r2-reads", what: "objects read from R2", unit: "" },
  { id: "invocations", what: "invocations of the Worker, each message one", unit: "" },
  { id: "d1-bytes", what: "room taken in D1", unit: "bytes" },
  { id: "r2-bytes", what: "room taken in R2", unit: "bytes" },
  { id: "cpu", what: "CPU time of the Worker's JavaScript", unit: "ms" },
  {
    id: "million",
    what: `a million samples, at these prices of ${pricesReadOn}`,
    unit: "USD",
    target: { atMost: 3, words: "under $3 per million samples" },
  },
];

/** Endpoints up to this slow are held to the rows that are written. */
const WRITES_HELD_MS = 500;

/** USD per million of what is billed, by figure. */
const prices: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(usdPerMillion).map(([part, usd]) => [costFigures[part as Priced], usd]),
);

type Priced = keyof typeof usdPerMillion;

/** Of slow answers fewer are saved together: what is lost with an isolate is to stay small. */
const targetAt = (id: string, target: Target, latencyMs: number): Target =>
  id !== "d1-rows-written" || latencyMs <= WRITES_HELD_MS
    ? target
    : { ...target, isPromised: false };

function described({ id, what, unit }: Figure, latencyMs: number): string {
  const price = prices[id] === undefined ? "" : `, at $${prices[id]} a million ${unit}`.trimEnd();
  const where = latencyMs === 0 ? "" : `; endpoint of ${latencyMs.toLocaleString("en")} ms`;
  return what + price + where;
}

/**
 * Platform usage per sample, and what a million of them would cost: at an endpoint that answers at once, and
 * at slower ones, of which fewer samples are gathered for an object. All is promised of the first, and of the slowest all
 * but the rows that are written.
 */
export const cost: readonly Bench[] = costLatencies.map((latencyMs) => ({
  ...(latencyMs > 0 && { repeats: 3 }),
  rows: figures.map((figure) => ({
    name: costRow(figure.id, latencyMs),
    unit: figure.unit,
    what: described(figure, latencyMs),
    ...(figure.target && { target: targetAt(figure.id, figure.target, latencyMs) }),
  })),
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(1_000 * Math.min(1, scale)));
    const service = await BenchService.start(samples, { metered: true });
    onEnd(() => service.stop());
    const inspector = await connectInspector(service.inspectorPort);
    onEnd(() => inspector.close());
    await service.upload(samples);
    return async () => {
      const model = `sim-medium?latency=${latencyMs}`;
      const before = await service.usage();
      const cpu = await cpuByPart(inspector, async () => {
        await service.evaluate({ model, samples, concurrency: 60 });
      });
      const used = usageEach(usageSince(before, await service.usage()), samples);
      const cpuMs = Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / samples;
      return [
        used.d1RowsWritten,
        used.d1RowsRead,
        used.d1Calls,
        used.d1Transactions,
        used.queueOperations,
        used.r2ClassA,
        used.r2ClassB,
        used.invocations,
        used.d1Bytes,
        used.r2Bytes,
        cpuMs,
        costUsd({ ...used, cpuMs }) * 1e6,
      ];
    };
  },
}));
