import type { StandingCell } from "./standing-blocks.ts";
import { tellingTags } from "./telling-tags.ts";

/** Answers with one value of a tag. */
interface TagPart {
  tag: string;
  name: string;
  n: number;
  figures: Readonly<
    Record<string, { value: number; interval: readonly [number, number] | null } | undefined>
  >;
}

/**
 * The values of each tag that tells samples apart, with one of their figures. Empty without such tags.
 * @example tagCells(breakdown.tags, "f1")[0]?.label // "domain law"
 */
export const tagCells = (tags: readonly TagPart[], figure: string): StandingCell[] =>
  tellingTags(tags).flatMap(([tag, parts]) =>
    parts.map(({ name, n, figures }) => {
      const { value = null, interval = null } = figures[figure] ?? {};
      return { label: `${tag} ${name}`, value, interval, n };
    }),
  );
