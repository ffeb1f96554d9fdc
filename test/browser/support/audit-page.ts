import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions, Spec } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { complaintsOf } from "./complaints.ts";
import { auditMark, lookAtPage, shiftOfOpening, uncachedPage } from "./page-look.ts";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSettings: Spec = {
  rules: [
    // The slowest rule, so it checks only marked elements.
    { id: "color-contrast", selector: `[${auditMark}]` },
    // A rule of WCAG 2.2 that is off by default.
    { id: "target-size", enabled: true },
  ],
};
const axeSource = `${readFileSync(axeFile, "utf8")};axe.configure(${JSON.stringify(axeSettings)});`;

/** Rules that depend on colours, and rules that depend on scrolling. */
const colourRules = ["color-contrast", "link-in-text-block"];
const scrollRules = ["scrollable-region-focusable"];

/** Number of pages audited in parallel. */
const LANES = 2;

/** Kinds of text without violations, on all pages that this process has audited. */
const kinds = new Set<number>();

/** Hashes of the shown and the scrolling elements that were already audited on the open page. */
interface Audited {
  shown: Set<number>;
  scrolled: Set<number>;
}

/** Accessibility violations of the open page, one line each. `rules`: only these rules; null: all. */
async function axeViolations(page: Page, rules: string[] | null): Promise<string[]> {
  const options: RunOptions = { resultTypes: ["violations"], preload: false };
  if (rules) options.runOnly = rules;
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")))`);
}

/**
 * Violations of the open page that earlier checks can't have found. Checks all rules if other elements are shown, or
 * only some rules if just kinds of text or scrolling changed. Kinds of text with violations are checked every time.
 */
async function newViolations(page: Page, audited: Audited): Promise<string[]> {
  const { shown, scrolled } = audited;
  const look = await page.evaluate(lookAtPage, { known: [...kinds], mark: auditMark });
  const rules = [
    ...(look.newKinds.length > 0 ? colourRules : []),
    ...(scrolled.has(look.scrolled) ? [] : scrollRules),
  ];
  const isKnown = shown.has(look.shown);
  if (isKnown && rules.length === 0) return [];
  const violations = await axeViolations(page, isKnown ? rules : null);
  shown.add(look.shown);
  scrolled.add(look.scrolled);
  if (violations.length === 0) for (const kind of look.newKinds) kinds.add(kind);
  return violations;
}

/** The number of pixels by which the page is wider than its window. */
const overflowPx = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Flaws of the open page in windows of these widths, in both colour schemes. */
async function flawsOf(page: Page, widths: readonly number[]) {
  const audited = { shown: new Set<number>(), scrolled: new Set<number>() };
  const flaws: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await newViolations(page, audited);
      flaws.push(...found.map((one) => `${colorScheme}, ${width} px: ${one}`));
    }
    const overflow = await overflowPx(page);
    if (overflow > 0) flaws.push(`${overflow} px wider than a window of ${width} px`);
  }
  return flaws;
}

/** Flaws of a page in its current state, in windows of these widths and in both colour schemes. */
export async function flawsOfOpenPage(page: Page, ...widths: readonly number[]): Promise<string[]> {
  await page.evaluate(axeSource);
  return flawsOf(page, widths);
}

/**
 * Flaws of pages by path, in windows of these widths and in both colour schemes: axe violations, overflow, complaints,
 * and layout shift while the page opens, which is measured once, at the last width. Axe runs again if a width shows,
 * hides or scrolls other elements. It checks the contrast of each kind of text once for all pages.
 */
export async function flawsByPath(
  browser: Browser,
  origin: string,
  paths: readonly string[],
  ...widths: readonly number[]
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const left = [...paths];
  const audit = async () => {
    const context = await browser.newContext();
    await context.addInitScript(axeSource);
    const page = await uncachedPage(context);
    const complaints = await complaintsOf(page, origin);
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      await page.emulateMedia({ colorScheme: "light" });
      const shift = await shiftOfOpening(page, `${origin}${path}`, widths.at(-1)!);
      const flaws = shift > 0 ? [`moves by ${shift} while it loads`] : [];
      flaws.push(...(await flawsOf(page, widths)), ...complaints.splice(0));
      if (flaws.length > 0) found[path] = flaws;
    }
    await context.close();
  };
  await Promise.all(Array.from({ length: LANES }, audit));
  return found;
}
