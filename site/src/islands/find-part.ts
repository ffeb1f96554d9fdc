/** The part of a page that a script needs; throws if it is missing, which is a bug. */
export function findPart<Part extends HTMLElement>(root: ParentNode, selector: string): Part {
  const part = root.querySelector<Part>(selector);
  if (!part) throw new Error(`the page lacks ${selector}`);
  return part;
}
