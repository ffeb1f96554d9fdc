/**
 * Opens the folded parts around the target of the page's address, and scrolls to it. Browsers do so only when they load
 * a page, not if the part is drawn later; older browsers never do.
 */
export function reveal(document: Document, hash: string): void {
  const target = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  if (target === null) return;
  let folded = target.closest("details:not([open])");
  if (folded === null) return;
  while (folded !== null) {
    folded.setAttribute("open", "");
    folded = folded.closest("details:not([open])");
  }
  target.scrollIntoView();
}
