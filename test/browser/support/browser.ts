import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

// In a single process, closing a context would end the browser.
const needed = chromium.args.filter((arg) => arg !== "--single-process");
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  // Otherwise Chromium starts a spare process for each page.
  "--renderer-process-limit=1",
];

/** Flags that let pages read across origins and share processes with other sites. */
const lax = new Set([
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--disable-site-isolation-trials",
]);

/**
 * Opens a headless Chromium that needs no installation, with `more` flags. `isStrict`: isolates origins as a normal
 * browser does.
 */
export async function openBrowser(
  more: readonly string[] = [],
  isStrict = false,
): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  const usual = needed.filter((arg) => !isStrict || !lax.has(arg));
  const args = [...usual, ...quiet, ...more];
  return playwright.launch({ executablePath, args, headless: true });
}
