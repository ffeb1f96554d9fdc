/** A section's start, px from the top of the window. */
export interface Placed<Link> {
  link: Link;
  top: number;
}

/**
 * The link of the current section: the last one that begins above `line`, or the first one if none does.
 * @example currentSection([{ link: "a", top: -40 }, { link: "b", top: 600 }], 120) // "a"
 */
export function currentSection<Link>(
  sections: readonly Placed<Link>[],
  line: number,
): Link | undefined {
  return (sections.findLast(({ top }) => top <= line) ?? sections[0])?.link;
}
