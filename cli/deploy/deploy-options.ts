import { parseArgs } from "node:util";
import { BadInput } from "../bad-input.ts";
import { originOf } from "./origin-of.ts";

/** What flags and environment ask of a deployment; null where nothing was said. */
export interface DeployOptions {
  /** Of the Worker; database, bucket and queues are named after it. */
  name: string | null;
  siteName: string | null;
  account: string | null;
  plan: "paid" | "free" | null;
  /** A domain of the account, in place of workers.dev. */
  domain: string | null;
  /** Where a deployed service is; read from the last deployment else. */
  origin: string | null;
  /** The commit of the imported dataset. */
  datasetRevision: string | null;
  /** Whether the dataset is imported; null: ask. */
  importsDataset: boolean | null;
  dryRun: boolean;
  siteOnly: boolean;
  yes: boolean;
  help: boolean;
}

/** Worker, queues and bucket are named `<name>-…`, in at most 63 characters. */
const nameForm = /^[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

const flags = {
  name: { type: "string" },
  "site-name": { type: "string" },
  account: { type: "string" },
  plan: { type: "string" },
  domain: { type: "string" },
  origin: { type: "string" },
  dataset: { type: "boolean" },
  "dataset-revision": { type: "string" },
  "dry-run": { type: "boolean", default: false },
  "site-only": { type: "boolean", default: false },
  yes: { type: "boolean", short: "y", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** What was asked for; a flag goes before its variable. Throws BadInput that quotes what can't be taken. */
export function deployOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DeployOptions {
  const values = parsed(args);
  const said = (flag: string | undefined, variable: string) =>
    flag ?? (env[variable]?.trim() || null);
  const origin = said(values.origin, "ASSAY_ORIGIN");
  const revision = said(values["dataset-revision"], "ASSAY_DATASET_REVISION");
  return {
    name: named("--name", said(values.name, "ASSAY_DEPLOY_NAME")),
    siteName: named("--site-name", said(values["site-name"], "ASSAY_DEPLOY_SITE_NAME")),
    account: accountId(said(values.account, "CLOUDFLARE_ACCOUNT_ID")),
    plan: planOf(said(values.plan, "ASSAY_DEPLOY_PLAN")),
    domain: domainOf(said(values.domain, "ASSAY_DEPLOY_DOMAIN")),
    origin: origin === null ? null : originOf(origin, "--origin"),
    datasetRevision: revisionOf(revision),
    importsDataset: values.dataset ?? (revision === null ? null : true),
    dryRun: values["dry-run"],
    siteOnly: values["site-only"],
    yes: values.yes,
    help: values.help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowNegative: true }).values;
  } catch (error) {
    const [what] = (error as Error).message.split(". ");
    throw new BadInput(`${what}; npm run deploy -- --help lists what there is.`);
  }
}

function named(flag: string, value: string | null): string | null {
  if (value === null || nameForm.test(value)) return value;
  const form = "lower-case letters, digits and dashes, 50 at most, a letter first";
  throw new BadInput(`${flag} takes ${form}, not "${value}".`);
}

function accountId(value: string | null): string | null {
  if (value === null || /^[0-9a-f]{32}$/.test(value)) return value;
  throw new BadInput(
    `--account takes the 32 hex digits that wrangler whoami lists, not "${value}".`,
  );
}

function planOf(value: string | null): "paid" | "free" | null {
  if (value === null || value === "paid" || value === "free") return value;
  throw new BadInput(`--plan takes paid or free, not "${value}".`);
}

function domainOf(value: string | null): string | null {
  if (value === null || /^(?=.{1,253}$)([a-z0-9-]+\.)+[a-z]{2,}$/.test(value)) return value;
  throw new BadInput(`--domain takes a host name, as assay.example.com, not "${value}".`);
}

function revisionOf(value: string | null): string | null {
  if (value === null || /^[0-9a-f]{7,40}$/.test(value)) return value;
  throw new BadInput(`--dataset-revision takes a commit's SHA, not "${value}".`);
}
