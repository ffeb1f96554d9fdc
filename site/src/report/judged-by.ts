import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";

/** A model that judges, with the labels of its metrics. */
interface NamedJudge extends RunRoute {
  metrics: string[];
  /** Labels of the metrics that it judges in place of a judge whose provider has no key. */
  stoodInFor: string[];
}

/** The judges of a run or a board's runs, in the order of the suite's metrics. */
export interface JudgedBy {
  judges: NamedJudge[];
  /** Labels of metrics without a judge. */
  unjudged: string[];
  simulated: "all" | "some" | "none";
}

/** The judges by model: one may judge several metrics, and a panel of several may judge one. */
export function judgedBy(
  known: readonly { id: string; label: string }[],
  { judges }: RunJudging,
): JudgedBy {
  const labelOf = (id: string) => known.find((judge) => judge.id === id)?.label ?? id;
  const ids = new Set([...known.map(({ id }) => id), ...Object.keys(judges)]);
  const named = new Map<string, NamedJudge>();
  const unjudged: string[] = [];
  for (const id of ids) {
    const its = judges[id];
    if (!its) continue;
    const label = labelOf(id);
    if (its.routes.length === 0) unjudged.push(label);
    for (const route of its.routes) {
      const key = `${route.provider}:${route.model}`;
      const judge = named.get(key) ?? { ...route, metrics: [], stoodInFor: [] };
      judge.metrics.push(label);
      if (its.by === "fallback") judge.stoodInFor.push(label);
      named.set(key, judge);
    }
  }
  const all = [...named.values()];
  return { judges: all, unjudged, simulated: simulatedOf(all) };
}

function simulatedOf(judges: readonly NamedJudge[]): JudgedBy["simulated"] {
  const played = judges.filter(({ simulated }) => simulated).length;
  if (played === 0) return "none";
  return played === judges.length ? "all" : "some";
}
