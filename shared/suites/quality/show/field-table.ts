import type { FieldTable } from "../../../contracts/field-table.ts";
import { partIds } from "../metric-ids.ts";
import type { QualitySample } from "../sample.ts";
import type { QualityDetail } from "../score/score.ts";

/**
 * The five metrics of an answer with the components and counts behind each, one a row.
 * Source: docs/spec/quality.md.
 * @example fieldTable.rows(shown)[0] // { metric: "coherence", part: "score", value: 0.8 }
 */
export const fieldTable: FieldTable<QualitySample, QualityDetail> = {
  columns: [
    { id: "metric", description: "coherence, completeness, length, structure or vocabulary" },
    { id: "part", description: "score: the metric itself; else a component or count of it" },
    { id: "value", description: "scores and components 0–1; counts and words as they are" },
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    return partIds.flatMap((metric) =>
      Object.entries(detail[metric]).map(([part, value]) => ({
        metric,
        part,
        value: value as number,
      })),
    );
  },
};
