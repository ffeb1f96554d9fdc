import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions, Spec } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { complaintsOf } from "./complaints.ts";
import { auditMark, lookAtPage, shiftOfOpening, uncachedPage } from "./page-look.ts";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSettings: Spec = {
  rules: [
    // It took most of the time, and looks where elements are marked for it.
    { id: "color-contrast", selector: `[${auditMark}]` },
    // Of WCAG 2.2, and off unless it is asked for.
    { id: "target-size", enabled: true },
  ],
};
const axeSource = `${readFileSync(axeFile, "utf8")};axe.configure(${JSON.stringify(axeSettings)});`;

/** Rules that go by colours, and by what scrolls. */
const colourRules = ["color-contrast", "link-in-text-block"];
const scrollRules = ["scrollable-region-focusable"];

/** Pages that are audited side by side. */
const LANES = 2;

/** Kinds of text that broke no rule, in the colours that they had: of all pages that a test file's process has audited. */
const kinds = new Set<number>();

/** What the open page showed before, and what scrolled in it. */
interface Audited {
  shown: Set<number>;
  scrolled: Set<number>;
}

/** Accessibility violations of the open page as it looks now, one line each; of all rules, or those named. */
async function axeViolations(page: Page, rules: string[] | null): Promise<string[]> {
  const options: RunOptions = { resultTypes: ["violations"], preload: false };
  if (rules) options.runOnly = rules;
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")))`);
}

/**
 * Violations of the open page that may differ from those found before: of all rules where it shows something else,
 * of some where only kinds of text or what scrolls are new. Text that breaks a rule stays new wherever it is.
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

/** How many pixels the page is wider than its window. */
const overflowPx = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** What is wrong with the open page in windows of these widths, in both schemes. */
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

/** What is wrong with a page as it stands, whatever was done on it, in windows of each width and in both schemes. */
export async function flawsOfOpenPage(page: Page, ...widths: readonly number[]): Promise<string[]> {
  await page.evaluate(axeSource);
  return flawsOf(page, widths);
}

/**
 * What is wrong with pages, by path, in windows of each width and in both schemes: violations that axe finds,
 * overflow, complaints; and what moves while a page is opened, which is done once, at the last width. Axe is asked
 * again where a width shows or hides something, or makes it scroll; of contrasts it is asked once for each kind of
 * text that any page has.
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
