import { csvRecord } from "#shared/contracts/csv.ts";
import type { Leaderboard } from "#shared/contracts/leaderboard.ts";

/** A board as CSV (RFC 4180), one record a model, with the interval of each metric beside it. */
export function boardCsv({ headline, entries }: Leaderboard): string {
  const others = new Set(entries.flatMap(({ metrics }) => Object.keys(metrics)));
  const metrics = [headline, ...[...others].filter((metric) => metric !== headline)];
  const header = [
    ...[
      "rank",
      "rankLow",
      "rankHigh",
      "best",
      "tieGroup",
      "model",
      "name",
      "simulated",
      "provenance",
      "endpointHost",
    ],
    ...metrics.flatMap((metric) => [metric, `${metric}Low`, `${metric}High`]),
    ...["n", "coverage", "attempts", "run", "scoringVersion", "finishedAt", "unrankedReason"],
  ];
  const records = entries.map((entry) => {
    const { model, provenance } = entry;
    return [
      ...[entry.rank, entry.rankInterval?.[0], entry.rankInterval?.[1], entry.best, entry.tieGroup],
      ...[model.slug, model.name, model.simulated],
      ...[provenance.kind, provenance.endpointHost],
      ...metrics.flatMap((metric) => {
        const estimate = metric === headline ? entry.headline : entry.metrics[metric];
        return [estimate?.value, estimate?.interval?.[0], estimate?.interval?.[1]];
      }),
      ...[entry.n, entry.coverage, entry.attempts],
      ...[entry.run, entry.scoringVersion, entry.finishedAt, entry.unrankedReason],
    ];
  });
  return [header, ...records].map(csvRecord).join("");
}
