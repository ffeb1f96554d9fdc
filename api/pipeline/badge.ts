import type { ShieldsBadge } from "#shared/contracts/badge.ts";
import type { Ports, RunRecord } from "./ports.ts";

type Badge = Omit<ShieldsBadge, "schemaVersion" | "cacheSeconds">;

/** Colours by headline value, best first. */
const bands: readonly [number, string][] = [
  [0.9, "brightgreen"],
  [0.75, "green"],
  [0.6, "yellow"],
  [0, "orange"],
];

const notEvaluated: Badge = { label: "assay", message: "not evaluated", color: "lightgrey" };

/** The badge of a model's newest ranked run. */
export async function badgeOf(ports: Ports, slug: string, suite: string | null): Promise<Badge> {
  const run = await ports.runs.newestRanked(slug, suite);
  return run === null ? notEvaluated : runBadge(ports, run);
}

function runBadge(ports: Ports, run: RunRecord): Badge {
  const metrics = ports.suites.byId(run.suite)?.metrics;
  const metric = metrics?.find((candidate) => candidate.id === run.headline);
  const value = metric ? run.metrics?.[metric.id]?.value : null;
  if (!metric || value === null || value === undefined) return notEvaluated;
  const marks = [
    ...(run.model.simulated ? ["simulated"] : []),
    ...(run.endpoint === null ? ["self-reported"] : []),
  ];
  const suffix = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  return {
    label: `assay ${metric.label}`,
    message: `${value.toFixed(3)}${suffix}`,
    color: bands.find(([from]) => value >= from)?.[1] ?? "red",
  };
}
