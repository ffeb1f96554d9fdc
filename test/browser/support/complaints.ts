import type { Page } from "playwright-core";

/** Logs violations of the content security policy that a script would otherwise hide. */
const tellViolations = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("the content security policy forbids " + event.violatedDirective + ": " + event.sourceFile);
})`;

/**
 * Collects the browser's complaints about `page` from now on: errors, warnings, violations of the content security
 * policy, and requests to URLs that start with none of `known`.
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
