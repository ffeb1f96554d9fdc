import { currentSection } from "./current-section.ts";
import { reveal } from "./reveal.ts";

/** A section is current from this distance of its beginning to the top of the window on, px. */
const reading = 160;

/** The contents may be drawn later than the page, so they are looked for each time. */
function mark(): void {
  const contents = document.querySelector<HTMLElement>(".page-contents");
  if (contents === null) return;
  const links = [...contents.querySelectorAll<HTMLAnchorElement>("a[href^='#']")];
  const sections = links.flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    // What is folded has no place of its own.
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
  // A second click on the same link changes no address.
  if (link) reveal(document, link.hash);
});
reveal(document, location.hash);
mark();
