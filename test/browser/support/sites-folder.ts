import { rm } from "node:fs/promises";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { buildFolder } from "./build-site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the sites that test files share. */
    sitesFolder: string;
  }
}

/** Prepares the browser and the folder of shared sites; each site is built on first use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Unpacked once here, since parallel test files could start a partly written browser.
  await chromium.executablePath();
  const dir = await buildFolder();
  project.provide("sitesFolder", dir);
  return () => rm(dir, { recursive: true, force: true });
}
