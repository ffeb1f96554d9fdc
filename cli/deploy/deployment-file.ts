import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../local/root.ts";

const deploymentSchema = z.object({
  name: z.string(),
  siteName: z.string(),
  account: z.string(),
  plan: z.enum(["paid", "free"]),
  domain: z.string().nullable(),
  origin: z.string().nullable(),
  /** The first API key's id; null until it was made. */
  firstKey: z.string().nullable(),
  /** The commit that the default extraction data were imported at; null until they were, "" for never. */
  datasetRevision: z.string().nullable(),
  /** Whether it was settled how the site is rebuilt. */
  rebuilds: z.boolean(),
});

/** What a deployment has been told and has come to: no secret. A second run goes on from it. */
export type Deployment = z.infer<typeof deploymentSchema>;

/** Where generated files of deployments stand; not in the repository. */
const deployments = join(root, ".deploy");

/** The folder of one deployment, and the project's as seen from there. */
export const folderOf = (name: string): string => join(deployments, name);
export const ROOT_FROM_FOLDER = "../../";

export function writeDeployment(deployment: Deployment): void {
  mkdirSync(folderOf(deployment.name), { recursive: true });
  writeFileSync(fileOf(deployment.name), `${JSON.stringify(deployment, null, 2)}\n`);
}

/** A deployment that was begun; null where there is none, or none that can be read. */
export function readDeployment(name: string): Deployment | null {
  try {
    return deploymentSchema.parse(JSON.parse(readFileSync(fileOf(name), "utf8")));
  } catch {
    return null;
  }
}

/** Names of deployments that were begun in this folder. */
export function begunDeployments(): string[] {
  try {
    return readdirSync(deployments).filter((name) => readDeployment(name) !== null);
  } catch {
    return [];
  }
}

const fileOf = (name: string) => join(folderOf(name), "deployment.json");
