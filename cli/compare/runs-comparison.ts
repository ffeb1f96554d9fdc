import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { runSchema } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { differingText } from "#shared/measures/comparison/words/differing-text.ts";
import { intervalBasis } from "#shared/measures/report/figures/interval-basis.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import type { ComparedFigures } from "../report/load-page.ts";
import { formatCount } from "../terminal/text.ts";
import { comparisonParts, type PartedText } from "./comparison-parts.ts";

/** Time between polls if the service does not state one. */
const AGAIN_SECONDS = 3;
const WAIT_SECONDS = 600;

const replySchema = z.union([comparisonSchema, z.object({ status: z.literal("running") })]);

const wholes = "Based on the figures of whole runs, with all of their samples.";

/** Waits for the service's comparison of runs. Throws BadInput, also after `waitSeconds`. */
export async function runsComparison(
  service: ServiceClient,
  ids: readonly string[],
  waitSeconds = WAIT_SECONDS,
): Promise<{ suite: Suite; comparison: Comparison }> {
  const path = `/v1/compare?${new URLSearchParams({ runs: ids.join(",") })}`;
  for (let waited = 0; waited <= waitSeconds; ) {
    const { value, retryAfterSeconds } = await service.poll(path, replySchema);
    if ("runs" in value) {
      const suite = suiteById(value.suite);
      const { ownMetrics: own = [] } = value;
      if (suite !== undefined) {
        return { suite: { ...suite, metrics: [...own, ...suite.metrics] }, comparison: value };
      }
      throw new BadInput(`unknown suite ${value.suite}; update assay`);
    }
    const seconds = Math.max(1, retryAfterSeconds ?? AGAIN_SECONDS);
    waited += seconds;
    await setTimeout(1000 * seconds);
  }
  throw new BadInput(
    `${service.origin} has not compared them within ${waitSeconds} s: try again later`,
  );
}

const figuresSchema = runSchema.pick({ metrics: true });

/** The metrics of whole runs of a service. */
export async function figuresOfRuns(
  service: ServiceClient,
  ids: readonly string[],
): Promise<ComparedFigures> {
  const figures = new Map<string, Readonly<Record<string, Estimate>>>();
  for (const id of ids) {
    const value = await service.get(`/v1/runs/${encodeURIComponent(id)}`, figuresSchema);
    figures.set(id, value.metrics ?? {});
  }
  return figures;
}

/** The comparison of runs or result folders as text; a run is named after its model, with its id if names are equal. */
export function runsText(suite: Suite, given: Comparison): PartedText {
  const comparison = renamed(given);
  const { samples, units } = comparison.metrics[0]!;
  const { dataset, runs } = comparison;
  const basis = intervalBasis(units);
  const left = runs.flatMap(({ run, leftOut }) =>
    leftOut > 0 ? [`${formatCount(leftOut)} of ${run}`] : [],
  );
  const settings = differingText(
    given.differingSettings,
    runs.map(({ run }) => run),
  );
  // Offline scorings have hashes instead of ids; a name may already contain the id.
  const ids = given.runs.flatMap(({ run }, i) => {
    const name = runs[i]!.run;
    return run.startsWith("run_") && !name.endsWith(run) ? [`${name} is ${run}`] : [];
  });
  return {
    title: `${suite.label} (${suite.id}), dataset ${dataset.name}: ${counted(samples, "sample")} compared in ${runs.length} runs`,
    about: [
      ...(basis === null ? [] : [basis.text]),
      ...(left.length > 0 ? [`left out, missing in another run: ${left.join(", ")}`] : []),
      ...(ids.length > 0 ? [ids.join("; ")] : []),
      ...(settings === null ? [] : [settings]),
    ],
    parts: comparisonParts(suite, comparison, wholes),
  };
}

function renamed(comparison: Comparison): Comparison {
  const { runs, metrics, frontiers, bestBy } = comparison;
  const slugs = runs.map(({ model }) => model.slug);
  const names = new Map(
    runs.map(({ run, model: { slug } }) => {
      const isOnly = slugs.indexOf(slug) === slugs.lastIndexOf(slug);
      return [run, isOnly ? slug : `${slug} ${run}`];
    }),
  );
  const named = (run: string) => names.get(run) ?? run;
  const ofPair = <Pair extends { a: string; b: string }>(pair: Pair) => ({
    ...pair,
    a: named(pair.a),
    b: named(pair.b),
  });
  const all = (list: readonly string[] | null) => list?.map(named) ?? null;
  return {
    ...comparison,
    runs: runs.map((one) => ({ ...one, run: named(one.run) })),
    metrics: metrics.map(({ standings, pairs, margin, ...rest }) => ({
      ...rest,
      standings: standings.map((one) => ({ ...one, run: named(one.run) })),
      pairs: pairs.map(ofPair),
      ...(margin && { margin: { ...margin, pairs: margin.pairs.map(ofPair) } }),
    })),
    frontiers: { latency: all(frontiers.latency), cost: all(frontiers.cost) },
    bestBy: bestBy.map((one) => ({ ...one, runs: one.runs.map(named) })),
  };
}
