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
];

/** A headless Chromium that needs no installation; `more` are flags of its own. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  const args = [...needed, ...quiet, ...more];
  return playwright.launch({ executablePath, args, headless: true });
}
