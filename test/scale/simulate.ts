import { drawNormal, drawsFrom } from "../../simulator/draws.ts";
import { type Deployment, databaseMs, type SampleDemand } from "./demand.ts";

/** Spread of the simulated latencies: lognormal, p95 2.3 times the median. */
const SIGMA = 0.5;

/**
 * Samples per second of a simulated deployment: lanes keep requests in flight, answers take lognormal times with the
 * demand's mean, and each database runs one call at a time; the reads of a commit's samples run with the commit. A lane
 * starts a new request when one ends, and waits for its last commit before it claims more, like the service's lanes.
 */
export function simulate(samples: number, demand: SampleDemand, deployment: Deployment): number {
  const { latencyMs, d1Transactions } = demand;
  const { consumers, requestsEach, databases } = deployment;
  const draws = drawsFrom("scale", samples);
  const group = Math.max(1, Math.round(1 / d1Transactions));
  const commitMs = group * databaseMs(demand, deployment);
  const median = latencyMs / Math.exp(SIGMA ** 2 / 2);
  const latency = () => median * Math.exp(SIGMA * drawNormal(draws));
  const slots = new EventQueue();
  for (let lane = 0; lane < consumers; lane++) {
    for (let i = 0; i < requestsEach; i++) slots.add(latency(), lane);
  }
  const freeAt = new Float64Array(databases);
  const uncommitted = new Int32Array(consumers);
  /** End of each lane's current commit; the next one waits for it. */
  const committedAt = new Float64Array(consumers);
  let now = 0;
  for (let done = 0; done < samples; done++) {
    const { at, lane } = slots.next();
    now = at;
    uncommitted[lane]! += 1;
    let goesOnAt = at;
    if (uncommitted[lane]! >= group) {
      const database = lane % databases;
      const begun = Math.max(at, freeAt[database]!, committedAt[lane]!);
      // Claimed units last for one commit. If the previous commit is still running, the lane has no units left.
      goesOnAt = Math.max(at, committedAt[lane]!);
      freeAt[database] = begun + commitMs;
      committedAt[lane] = begun + commitMs;
      uncommitted[lane] = 0;
    }
    slots.add(goesOnAt + latency(), lane);
  }
  return samples / (now / 1000);
}

/** Events by time, as a binary heap. */
class EventQueue {
  readonly #events: { at: number; lane: number }[] = [];

  add(at: number, lane: number): void {
    const events = this.#events;
    events.push({ at, lane });
    for (let i = events.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (events[parent]!.at <= events[i]!.at) return;
      [events[parent], events[i]] = [events[i]!, events[parent]!];
      i = parent;
    }
  }

  next(): { at: number; lane: number } {
    const events = this.#events;
    const first = events[0]!;
    const last = events.pop()!;
    if (events.length === 0) return first;
    events[0] = last;
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < events.length && events[left]!.at < events[least]!.at) least = left;
      if (right < events.length && events[right]!.at < events[least]!.at) least = right;
      if (least === i) return first;
      [events[least], events[i]] = [events[i]!, events[least]!];
      i = least;
    }
  }
}
