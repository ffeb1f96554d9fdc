import type { SampleScore } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import { isComposite, partsOf, sidesOf } from "./composites.ts";
import type { MemoryDetail } from "./score.ts";

/**
 * What an answer adds to each metric that runs are compared by, the headline first, and to the sides of
 * those that are shares over all samples together; null where it is unjudged.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example sampleValues(score)["empathy"] // 1–5
 */
export function sampleValues({
  score,
  detail,
}: SampleScore<MemoryDetail>): Record<string, number | null> {
  const values: Record<string, number | null> = { mcs: score };
  for (const { id, figures } of judges) {
    const [main] = figures;
    const { value = null, numbers = {} } = detail.metrics[id] ?? {};
    values[main.metric.id] = value;
    if (!isComposite(main)) continue;
    const [of, over] = partsOf(main);
    const sides = value === null ? null : sidesOf(main, { ...numbers, value, judged: 1 });
    values[of] = sides?.of ?? null;
    values[over] = sides?.over ?? null;
  }
  return values;
}
