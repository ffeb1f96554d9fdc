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

/** A headless Chromium that needs no installation. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  return playwright.launch({ executablePath, args: [...needed, ...quiet], headless: true });
}
