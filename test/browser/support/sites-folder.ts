import { rm } from "node:fs/promises";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { buildFolder } from "./build-site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where test files find the sites that they share. */
    sitesFolder: string;
  }
}

/** A browser, and a folder for the sites that test files of one run share; no site is built before one is wanted. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Unpacked here: files that did so at the same time would start a browser that is still being written.
  await chromium.executablePath();
  const dir = await buildFolder();
  project.provide("sitesFolder", dir);
  return () => rm(dir, { recursive: true, force: true });
}
