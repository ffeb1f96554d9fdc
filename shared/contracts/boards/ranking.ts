import type { Target } from "../runs/unit.ts";
import type { Suite } from "../suite.ts";

/**
 * Id of the metric that ranks runs with these options.
 * Source: docs/spec/tools.md, which figure ranks.
 * @example headlineOf(tools, { routed: true }) // "total"
 */
export const headlineOf = (
  suite: Pick<Suite, "headline" | "headlineOf">,
  options: unknown,
): string => suite.headlineOf?.(options) ?? suite.headline;

/**
 * The suite with the members for these options, such as a run's own rubric; the suite itself if it has none.
 * @example suiteFor(rubric, { rubric: own }).judging?.judges[0]?.id // the first criterion
 */
export const suiteFor = (suite: Suite, options: unknown): Suite =>
  suite.withOptions === undefined ? suite : { ...suite, ...suite.withOptions(options) };

/**
 * `suiteFor` with the metric that ranks runs with these options as headline.
 * @example rankedBy(tools, { routed: true }).headline // "total"
 */
export const rankedBy = (suite: Suite, options: unknown): Suite => ({
  ...suiteFor(suite, options),
  headline: headlineOf(suite, options),
});

/**
 * Completes a run's options once its target is known: suites whose ranking depends on the target store it in the
 * options.
 * @example optionsFor(tools, options, { isHybrid: true, sources: [] }) // { …, routed: true }
 */
export const optionsFor = (
  suite: Pick<Suite, "optionsFor">,
  options: unknown,
  target: Target,
): unknown => suite.optionsFor?.(options, target) ?? options;

/**
 * Ids of the metrics that rank runs of a suite with default options: the metric for plain endpoints, then the one for
 * hybrid targets if it differs.
 * @example headlinesOf(tools) // ["avgF1", "total"]
 */
export function headlinesOf(suite: Suite): string[] {
  const options = suite.optionsSchema.parse({});
  const hybrid = optionsFor(suite, options, { isHybrid: true, sources: [] });
  return [...new Set([headlineOf(suite, options), headlineOf(suite, hybrid)])];
}
