/**
 * Groups models that are not significantly different: the first and all that do not differ from it make group 1,
 * the first of the rest and all of the rest that do not differ from it group 2, and so on. `ranked`
 * lists models best first; `differ` says whether two of them differ significantly. A later model may be in an
 * earlier group than one ranked above it, since their sample sizes and variances differ. O(models²).
 * @example tieGroups([0, 1, 2], (a, b) => b === 2) // [1, 1, 2]
 */
export function tieGroups(
  ranked: readonly number[],
  differ: (a: number, b: number) => boolean,
): number[] {
  const groups: number[] = [];
  let rest = [...ranked];
  for (let group = 1; rest.length > 0; group++) {
    const head = rest[0]!;
    const tied = new Set(rest.filter((model) => model === head || !differ(head, model)));
    for (const model of tied) groups[model] = group;
    rest = rest.filter((model) => !tied.has(model));
  }
  return groups;
}
