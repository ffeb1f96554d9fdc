import { csvRecord } from "#shared/contracts/csv.ts";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";

/** A board as CSV (RFC 4180), one record a model, with the interval of each metric beside it. */
export function boardCsv({ headline, entries }: Leaderboard): string {
  const others = new Set(entries.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = [headline, ...[...others].filter((metric) => metric !== headline)];
  const header = [
    ...["rank", "model", "name", "simulated", "provenance", "endpointHost"],
    ...metrics.flatMap((metric) => [metric, `${metric}Low`, `${metric}High`]),
    ...["n", "coverage", "attempts", "run", "finishedAt", "unrankedReason"],
  ];
  const records = entries.map((entry) => {
    const { model, provenance } = entry;
    return [
      ...[entry.rank, model.slug, model.name, model.simulated],
      ...[provenance.kind, provenance.endpointHost],
      ...metrics.flatMap((metric) => {
        const estimate = metric === headline ? entry.headline : entry.metrics[metric];
        return [estimate?.value, estimate?.interval?.[0], estimate?.interval?.[1]];
      }),
      ...[entry.n, entry.coverage, entry.attempts],
      ...[entry.run, entry.finishedAt, entry.unrankedReason],
    ];
  });
  return [header, ...records].map(csvRecord).join("");
}
