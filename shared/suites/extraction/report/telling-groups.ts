import { tellingTags } from "../../../measures/report/telling-tags.ts";
import type { TagsBreakdown } from "../sum/breakdown/breakdown-parts.ts";

/**
 * The values of each tag that has more than one of ten samples or more: of a single value there is nothing to
 * tell apart.
 * Source: docs/spec/extraction.md, section 6.
 * @example tellingGroups(breakdown.tags)[0]?.[0] // "language"
 */
export function tellingGroups({
  groups,
}: TagsBreakdown): [key: string, groups: TagsBreakdown["groups"]][] {
  return tellingTags(groups.map((group) => ({ ...group, tag: group.key })));
}
