/**
 * Groups of samples by tag, in the order they come, without tags of a single value: those tell no groups
 * apart. Empty without such a tag. Linear.
 * @example tellingTags([{ tag: "lang", name: "en" }]) // []
 */
export function tellingTags<Group extends { tag: string }>(
  groups: readonly Group[],
): [tag: string, groups: Group[]][] {
  const byTag = new Map<string, Group[]>();
  for (const group of groups) {
    const known = byTag.get(group.tag);
    if (known === undefined) byTag.set(group.tag, [group]);
    else known.push(group);
  }
  return [...byTag].filter(([, its]) => its.length > 1);
}
