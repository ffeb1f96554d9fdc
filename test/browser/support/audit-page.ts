import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Browser, Page } from "playwright-core";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = readFileSync(axeFile, "utf8");

/** Accessibility violations of the open page, one line each; of all rules, or those named. */
async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ["violations"], preload: false };
  if (rules) options.runOnly = rules;
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(" | ")}`,
  );
}

/** How many pixels the page is wider than its window. */
const overflowPx = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Everything the browser complains of while `page` is used: errors, failed and foreign requests. */
function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`foreign request ${request.url()}`);
  });
  return complaints;
}

/** What is wrong with pages in a window of this width, by path: axe in both schemes, overflow, complaints. */
export async function flawsByPath(
  browser: Browser,
  origin: string,
  paths: readonly string[],
  width: number,
): Promise<Record<string, string[]>> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const complaints = complaintsOf(page, origin);
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${origin}${path}`);
    const flaws = await axeViolations(page);
    await page.emulateMedia({ colorScheme: "dark" });
    flaws.push(...(await axeViolations(page, ["color-contrast"])), ...complaints.splice(0));
    const overflow = await overflowPx(page);
    if (overflow > 0) flaws.push(`${overflow} px wider than the window`);
    if (flaws.length > 0) found[path] = flaws;
  }
  await context.close();
  return found;
}
