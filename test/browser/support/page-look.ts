import type { BrowserContext, Page } from "playwright-core";

/** The properties of the open page that determine the outcome of an audit. */
export interface PageLook {
  /** Hash of the set of visible elements. */
  shown: number;
  /** Hash of the set of elements that scroll horizontally. */
  scrolled: number;
  /** Hashes of kinds of text that are not known yet, without duplicates. */
  newKinds: number[];
}

/** Attribute of elements whose contrast axe checks. */
export const auditMark = "data-audit";

/**
 * One function, because it runs in the page. Texts are of one kind if their enclosing elements have the same names and
 * classes, and colour, backgrounds and size are equal; one text then represents all. Marks the first, second and last
 * text of each kind that is not `known`, because axe can't check a text that is scrolled out of a table.
 */
export function lookAtPage({ known, mark }: { known: number[]; mark: string }): PageLook {
  /** 53 bits, so thousands of kinds do not collide. */
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

/** The cumulative layout shift, without shifts after input. */
const shiftOfPage = `new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  });
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 100);
})`;

export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>(shiftOfPage);

/** A page without a cache, like a first visit: resources that arrive late can shift the layout. */
export async function uncachedPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return page;
}

/** The layout shift of a page while it opens in a window of this width. */
export async function shiftOfOpening(page: Page, url: string, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(url, { waitUntil: "networkidle" });
  return layoutShift(page);
}

/** Width of A4 within margins of 1 cm, CSS px. The browser shrinks wider pages. */
export const paperWidth = 718;
