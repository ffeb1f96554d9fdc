import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";
import { locationNames } from "./deploy-options.ts";
import type { Wrangler } from "./wrangler-client.ts";

const deploymentSchema = z.object({
  name: z.string(),
  siteName: z.string(),
  account: z.string(),
  plan: z.enum(["paid", "free"]),
  domain: z.string().nullable(),
  /** Requested location of its database and bucket. */
  location: z.enum(locationNames).default("auto"),
  origin: z.string().nullable(),
  /** The first API key's id; null until it was created. */
  firstKey: z.string().nullable(),
  /** The commit at which the default extraction data were imported; null: not yet, "": never. */
  datasetRevision: z.string().nullable(),
  /** Whether the user has chosen how the site is rebuilt. */
  rebuilds: z.boolean(),
});

/** The settings and progress of a deployment, without secrets. */
export type Deployment = z.infer<typeof deploymentSchema>;

/**
 * The state of a deployment is an object in its bucket, so that any machine, including a workflow's, can continue
 * where another one stopped.
 */
const STATE_KEY = "deployment.json";

/** Folder of generated files; not in the repository, and safe to delete. */
const deployments = join(root, ".deploy");

export const ROOT_FROM_FOLDER = "../../";

/** Reads the state of a deployment; null without a state, for example before the first deployment. Throws BadInput. */
export async function readDeployment(
  wrangler: Wrangler,
  bucket: string,
): Promise<Deployment | null> {
  const path = `${bucket}/${STATE_KEY}`;
  const get = ["r2", "object", "get", path, "--remote", "--pipe"];
  // Wrangler has the same message for a missing bucket.
  const missing = /The specified key does not exist/;
  const found = await wrangler.ask("Reading the deployment's state", get, missing);
  if (found === null) return null;
  try {
    return deploymentSchema.parse(JSON.parse(found));
  } catch {
    throw new BadInput(
      `${path} is not the state of a deployment. Delete it (npx wrangler r2 object delete ${path} --remote); the next deployment writes it again.`,
    );
  }
}

/** Stores the state of a deployment, whose bucket must exist. Throws BadInput. */
export async function writeDeployment(
  wrangler: Wrangler,
  bucket: string,
  deployment: Deployment,
): Promise<void> {
  const put = ["r2", "object", "put", `${bucket}/${STATE_KEY}`, "--remote", "--pipe"];
  const args = [...put, "--content-type", "application/json"];
  const content = `${JSON.stringify(deployment, null, 2)}\n`;
  await wrangler.run("Storing the deployment's state", args, content);
}

/** The folder of one deployment's generated files, and the project's folder as seen from there. */
export const folderOf = (name: string): string => join(deployments, name);

/** Names and accounts of deployments made from this machine, to suggest them. */
export function knownDeployments(): { name: string; account: string | null }[] {
  const folders = existsSync(deployments) ? readdirSync(deployments) : [];
  return folders.flatMap((folder) => {
    try {
      const config = JSON.parse(readFileSync(join(deployments, folder, "api.json"), "utf8"));
      return config.name === folder ? [{ name: folder, account: config.account_id ?? null }] : [];
    } catch {
      return [];
    }
  });
}
