import type { Page } from "playwright-core";

/** A script may try what the content security policy forbids, and hide that it failed. */
const tellViolations = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("the content security policy forbids " + event.violatedDirective + ": " + event.sourceFile);
})`;

/**
 * Everything the browser complains of from here on while `page` is used: errors and warnings, what the content security
 * policy forbids, and requests to addresses that begin otherwise than those of `known`.
 */
export async function complaintsOf(page: Page, ...known: readonly string[]): Promise<string[]> {
  const complaints: string[] = [];
  await page.addInitScript(tellViolations);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!known.some((start) => url.startsWith(start))) complaints.push(`foreign request ${url}`);
  });
  return complaints;
}
