import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

// Closing a context would end a browser that is a single process.
const needed = chromium.args.filter((arg) => arg !== "--single-process");
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  // A test's page would have a spare process beside its own.
  "--renderer-process-limit=1",
];

/** What lets pages read across origins, and share processes with other sites. */
const lax = new Set([
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--disable-site-isolation-trials",
]);

/**
 * A headless Chromium that needs no installation; `more` are flags of its own. `isStrict`: it keeps origins apart as
 * people's browsers do.
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
