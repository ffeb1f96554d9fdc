import { currentSection } from "./current-section.ts";
import { reveal } from "./reveal.ts";

/** A section becomes current at this distance of its start from the top of the window, px. */
const reading = 160;

/** Marks the current section. Looks for the contents each time, because they may be drawn after the page. */
function mark(): void {
  const contents = document.querySelector<HTMLElement>(".page-contents");
  if (contents === null) return;
  const links = [...contents.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  const sections = links.flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    // A section inside a folded part has no position, so use the part.
    const shown = target?.closest("details:not([open])") ?? target;
    return shown ? [{ link, top: shown.getBoundingClientRect().top }] : [];
  });
  const { scrollHeight } = document.documentElement;
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2;
  const current = currentSection(sections, isAtEnd ? innerHeight : reading);
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (current && contents.scrollHeight > contents.clientHeight) {
    contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
  }
}

let isDue = false;
function markSoon(): void {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    mark();
  });
}

addEventListener("scroll", markSoon, { passive: true });
addEventListener("resize", markSoon, { passive: true });
addEventListener("hashchange", () => reveal(document, location.hash));
document.addEventListener("toggle", markSoon, { capture: true });
document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href^='#']") : null;
  // A second click on the same link does not change the address.
  if (link) reveal(document, link.hash);
});
reveal(document, location.hash);
mark();
