import type { BrowserContext, Page } from "playwright-core";

/** What of the open page an audit's outcome rests on. */
export interface PageLook {
  /** Changes with which elements are shown. */
  shown: number;
  /** Changes with which of them scroll sideways. */
  scrolled: number;
  /** Kinds of text that were not known, each once. */
  newKinds: number[];
}

/** Marks elements whose contrast is to be looked at. */
export const auditMark = "data-audit";

/**
 * Runs in the page, so it is all in one. Two texts are of one kind where elements of the same names and classes
 * hold them and where colour, backgrounds and size are the same: one of them speaks for all. Of each kind that is
 * not `known` the first, the second and the last are marked, since one may stand where it can't be judged, as
 * scrolled out of a table.
 */
export function lookAtPage({ known, mark }: { known: number[]; mark: string }): PageLook {
  /** 53 bits: thousands of kinds never meet. */
  const hashOf = (text: string): number => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
  const grounds = new Map<Element, string>();
  const groundOf = (element: Element | null): string => {
    if (element === null) return "";
    const found = grounds.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = [element.localName, element.getAttribute("class"), backgroundColor];
    const ground = `${groundOf(element.parentElement)}/${[...own, backgroundImage, opacity]}`;
    grounds.set(element, ground);
    return ground;
  };
  const kindOf = (element: Element): number => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [px, weight] = [Number.parseFloat(fontSize), Number(fontWeight)];
    const isLarge = px >= 24 || (px >= 18.66 && weight >= 700);
    return hashOf(`${color} ${isLarge} ${groundOf(element)}`);
  };
  const byKind = new Map<number, Element[]>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (element === null || !/\S/.test(node.nodeValue ?? "") || !element.checkVisibility())
      continue;
    const kind = kindOf(element);
    byKind.set(kind, [...(byKind.get(kind)?.slice(0, 2) ?? []), element]);
  }
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
  const seen = new Set(known);
  const newKinds = [...byKind.keys()].filter((kind) => !seen.has(kind));
  for (const kind of newKinds) {
    for (const element of byKind.get(kind) ?? []) element.setAttribute(mark, "");
  }
  const elements = [...document.querySelectorAll("*")];
  const scrolls = (element: Element) =>
    element.clientWidth > 0 &&
    element.scrollWidth > element.clientWidth &&
    /auto|scroll/.test(getComputedStyle(element).overflowX);
  const bitsOf = (is: (element: Element) => boolean) =>
    hashOf(elements.map((element) => (is(element) ? "1" : "0")).join(""));
  return {
    shown: bitsOf((element) => element.checkVisibility()),
    scrolled: bitsOf(scrolls),
    newKinds,
  };
}

/** How far what is shown has moved by itself: not by what a reader did. */
const shiftOfPage = `new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  });
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 100);
})`;

export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>(shiftOfPage);

/** A page that fetches everything each time, as a first visit does: what comes late from afar may move others. */
export async function uncachedPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return page;
}

/** How far a page moves by itself while it opens in a window of this width. */
export async function shiftOfOpening(page: Page, url: string, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(url, { waitUntil: "networkidle" });
  return layoutShift(page);
}

/** A4 within margins of 1 cm, in CSS px: what is wider makes the browser shrink all of the page. */
export const paperWidth = 718;
