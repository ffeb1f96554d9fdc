import { bounds, cutText } from "../bounds.ts";
import { contentHash } from "../content-hash.ts";
import { isJsonObject } from "../json.ts";
import { printableName } from "../text/well-formed.ts";
import { givenList, mostGivenRecords } from "./given-judgments.ts";
import type { RunJudging, RunRoute } from "./judging.ts";

/** Value of the option `judge` that uses the judgments of submitted answers; also the provider of their judges. */
export const recorded = "recorded";

type RunJudges = RunJudging["judges"];

/**
 * The judges of a run's submitted judgments, by metric; null if it uses none.
 * @example recordedIn(null) // null
 */
export function recordedIn(judging: RunJudging | null): RunJudges | null {
  const all = Object.entries(judging?.judges ?? {});
  const its = all.filter(([, { routes }]) => routes[0]?.provider === recorded);
  return its.length === 0 ? null : Object.fromEntries(its);
}

/**
 * The judges that submitted judgments name, by metric, as routes of the provider `recorded`. `promptHash` is that of
 * their prompt, or a hash of all if they differ. A judgment without a judge's name counts as one by `unnamed`. At most
 * 16 judges a metric. Null without judgments. Linear.
 * Source: docs/spec/memory.md, judges.
 * @example recordedJudges([{ judgments: { empathy: { judge: "a", judgment } } }])?.["empathy"]?.routes[0]?.model // "a"
 */
export function recordedJudges(
  answers: Iterable<{ judgments?: Readonly<Record<string, unknown>> | null | undefined }>,
): RunJudges | null {
  const byMetric = new Map<string, Named>();
  for (const { judgments } of answers) {
    for (const [name, given] of Object.entries(judgments ?? {})) {
      // A judgment of a part of an answer has the key `metric/part`.
      const metric = name.split("/")[0]!;
      const its = byMetric.get(metric) ?? { routes: new Map(), prompts: new Set() };
      byMetric.set(metric, its);
      addNames(its, given);
    }
  }
  const judges = [...byMetric].map(([metric, { routes, prompts }]) => {
    const sorted = [...routes.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
    const promptHash = prompts.size === 1 ? [...prompts][0]! : contentHash([...prompts].sort());
    return [metric, { routes: sorted, by: "run" as const, promptHash }] as const;
  });
  return judges.length === 0 ? null : Object.fromEntries(judges);
}

/** Judges and prompts of a metric. */
interface Named {
  routes: Map<string, RunRoute>;
  prompts: Set<string>;
}

function addNames({ routes, prompts }: Named, given: unknown): void {
  for (const record of givenList(given).slice(0, mostGivenRecords).filter(isJsonObject)) {
    const model = nameOf(record["judge"]);
    const simulated = record["isSimulated"] === true;
    if (!routes.has(model) && routes.size < mostGivenRecords) {
      routes.set(model, { provider: recorded, model, simulated });
    }
    prompts.add(nameOf(record["promptHash"]));
  }
}

const nameOf = (given: unknown): string =>
  (typeof given === "string" && printableName(cutText(given, bounds.name))) || "unnamed";
