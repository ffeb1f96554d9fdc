import { contentHash } from "../content-hash.ts";
import type { Json } from "../json.ts";
import type { Suite } from "../suite.ts";
import type { RunJudging, RunRoute } from "./judging.ts";

/** Hex digits of an id that is cut from a hash: enough to avoid collisions. */
const ID_LENGTH = 16;

/**
 * Identifies everything that a score depends on besides model, data and prompt, as 16 hex digits. Scores of different
 * versions are not comparable. For a judged run it covers its judges and stage models.
 * @example scoringVersionOf(extraction, extraction.optionsSchema.parse({})).length // 16
 */
export function scoringVersionOf(
  suite: Pick<Suite, "id" | "version" | "scoringOptions">,
  options: unknown,
  judging: RunJudging | null = null,
): string {
  const { id, version } = suite;
  const scoring = suite.scoringOptions(options);
  const parts = { suite: id, version, scoring, ...(judging && { judging: judgedBy(judging) }) };
  return contentHash(parts).slice(0, ID_LENGTH);
}

/** Models and prompts, without who chose them. */
function judgedBy({ judges, stages }: RunJudging): Json {
  const named = ({ provider, model }: RunRoute) => ({ provider, model });
  const byMetric = Object.entries(judges).map(([metric, { routes, promptHash }]) => [
    metric,
    { routes: routes.map(named), promptHash },
  ]);
  const byStage = Object.entries(stages).map(([id, routes]) => [
    id,
    routes && { ask: named(routes.ask), ...(routes.speak && { speak: named(routes.speak) }) },
  ]);
  return { judges: Object.fromEntries(byMetric), stages: Object.fromEntries(byStage) };
}
