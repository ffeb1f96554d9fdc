import type { StandingCell } from "../../../measures/report/standing-blocks.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import { tellingGroups } from "./telling-groups.ts";

/** What the parts of each kind are called in a list of all kinds. */
const kinds = [
  ["byType", "type "],
  ["byDepth", "depth "],
  ["byRequired", ""],
  ["byComplexity", "schemas: "],
] as const;

/**
 * The parts of a run by partial F1: fields by type, depth, requirement and name path, samples by complexity of
 * their schema and by tag.
 * Source: specification of the extraction suite, sections 6 and 7.
 * @example standingCells(breakdown)[0]?.label // "type string"
 */
export function standingCells({ fields, tags }: ExtractionBreakdown): StandingCell[] {
  return [
    ...kinds.flatMap(([kind, before]) =>
      fields[kind].map(({ name, partialF1: value, interval, n }) => ({
        ...{ label: `${before}${name}`, value, interval, n },
      })),
    ),
    ...fields.byPath.map(({ name, partialF1: value, interval, n }) => ({
      ...{ label: name || "(root)", value, interval, n },
    })),
    ...tellingGroups(tags).flatMap(([key, groups]) =>
      groups.map(({ name, n, figures }) => ({
        ...{ label: `${key}: ${name}`, n, value: figures["partialF1"]?.value ?? null },
        interval: figures["partialF1"]?.interval ?? null,
      })),
    ),
  ];
}
