/** Where a section begins, px from the top of the window. */
export interface Placed<Link> {
  link: Link;
  top: number;
}

/**
 * The link of the section that a reader is in: the last one that begins above `line`; the first one before all of them.
 * @example currentSection([{ link: "a", top: -40 }, { link: "b", top: 600 }], 120) // "a"
 */
export function currentSection<Link>(
  sections: readonly Placed<Link>[],
  line: number,
): Link | undefined {
  return (sections.findLast(({ top }) => top <= line) ?? sections[0])?.link;
}
