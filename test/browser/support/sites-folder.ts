import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { buildFolder } from "./build-site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where test files find the sites that they share. */
    sitesFolder: string;
  }
}

/** A folder for the sites that test files of one run share; nothing is built before one is wanted. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await buildFolder();
  project.provide("sitesFolder", dir);
  return () => rm(dir, { recursive: true, force: true });
}
