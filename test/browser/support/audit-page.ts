import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = readFileSync(axeFile, "utf8");

/** Accessibility violations of the open page, one line each; of all rules, or those named. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
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
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Everything the browser complains of while `page` is used: errors, failed and foreign requests. */
export function complaintsOf(page: Page, origin: string): string[] {
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
