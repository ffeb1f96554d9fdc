import { statSync } from "node:fs";
import type { Declaration, Values } from "../command-line/command.ts";
import { parseCommand } from "../command-line/parse-command.ts";
import { BadInput } from "../errors.ts";
import { isUnencrypted, serviceAccess } from "../remote/service-access.ts";

/** Worker, queues and bucket are named `<name>-…`, in at most 63 characters. */
const nameForm = /^[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?$/;
const nameRule = "must be at most 50 lower-case letters, digits and dashes, with a letter first";

const plans = ["paid", "free"] as const;

/**
 * Locations of database and bucket, each with the cloud region near which requests are handled; null: Cloudflare finds
 * a place near the database. Sources: developers.cloudflare.com, /d1/configuration/data-location,
 * /r2/reference/data-location and /workers/configuration/placement (2026-11-28).
 */
export const locations = {
  auto: { where: "near this machine, chosen by Cloudflare", region: null },
  wnam: { where: "Western North America", region: "aws:us-west-2" },
  enam: { where: "Eastern North America", region: "aws:us-east-1" },
  weur: { where: "Western Europe", region: "aws:eu-central-1" },
  eeur: { where: "Eastern Europe", region: "gcp:europe-central2" },
  apac: { where: "Asia-Pacific", region: "aws:ap-southeast-1" },
  oc: { where: "Oceania", region: "aws:ap-southeast-2" },
} as const;
export type DataLocation = keyof typeof locations;
export const locationNames = Object.keys(locations) as [DataLocation, ...DataLocation[]];

const flags = {
  name: {
    type: "string",
    value: "NAME",
    help: "Name of the Worker, and prefix of database, bucket and queues",
    default: "assay",
    env: "ASSAY_DEPLOY_NAME",
  },
  "site-name": {
    type: "string",
    value: "NAME",
    help: "Name of the Worker of the site",
    default: "NAME-site",
    env: "ASSAY_DEPLOY_SITE_NAME",
  },
  account: {
    type: "string",
    value: "ID",
    help: "Account, if the login has several",
    env: "CLOUDFLARE_ACCOUNT_ID",
  },
  plan: {
    type: "string",
    value: "PLAN",
    help: "Workers plan of the account; the limits of the Free plan are listed before deployment",
    choices: plans,
    env: "ASSAY_DEPLOY_PLAN",
  },
  domain: {
    type: "string",
    value: "HOST",
    help: "Serve at a domain of the account instead of workers.dev",
    env: "ASSAY_DEPLOY_DOMAIN",
  },
  location: {
    type: "string",
    value: "PLACE",
    help: "Location of the data and of the Worker, for a first deployment; auto: near this machine",
    choices: locationNames,
    env: "ASSAY_DEPLOY_LOCATION",
  },
  dataset: {
    type: "boolean",
    help: "Import paraloq/json_data_extraction as the first extraction board",
  },
  "no-dataset": { type: "boolean", help: "Do not import it" },
  "dataset-revision": {
    type: "string",
    value: "SHA",
    help: "Commit to import; by default the newest, which later deployments keep",
    env: "ASSAY_DATASET_REVISION",
  },
  "site-only": {
    type: "boolean",
    help: "Only build and deploy the site, from results of the service; needs the revision that the service runs",
  },
  origin: {
    type: "string",
    value: "URL",
    help: "Address of the service, for --site-only if the account does not know it",
    env: "ASSAY_ORIGIN",
  },
  rollback: {
    type: "boolean",
    help: "Deploy this version, one release back, although the database has migrations of a later version",
  },
  restored: {
    type: "boolean",
    help: "After a restore of the database to an earlier moment: make active runs and published results consistent with it",
  },
  database: {
    type: "string",
    value: "FILE",
    help: "Fill a new database with an export of an earlier one (docs/deployment.md, Back up and restore); includes --restored",
  },
  "dry-run": {
    type: "boolean",
    help: "Write the configuration and bundle both Workers, without questions and without creating anything",
  },
  yes: { type: "boolean", short: "y", help: "Use defaults without questions" },
} as const;

type Flags = typeof flags;
type WithVariable = {
  [F in keyof Flags]: Flags[F] extends { env: string } ? F : never;
}[keyof Flags];

/** The declaration of `npm run deploy`. */
export const deployCommand: Declaration = {
  name: "deploy",
  summary: "deploy the service and its site to Cloudflare",
  usage: ["npm run deploy", "npm run deploy -- [options]"],
  description: [
    "Deploys the service and its site to a Cloudflare account and asks for missing settings. Existing resources are found and kept: the same command continues an interrupted deployment, on any machine, and upgrades a deployment.",
  ],
  flags,
  environment: {
    CLOUDFLARE_API_TOKEN: "API token, instead of a login",
    ASSAY_FIRST_DATASETS: "Board of each suite on the home page, such as extraction=paraloq",
    ASSAY_SITE_FILES: "Files of the site; default: 4,000 (docs/deployment.md, Rebuild the site)",
    "ASSAY_OPERATOR_NAME, ASSAY_OPERATOR_ADDRESS, ASSAY_OPERATOR_MAIL, ASSAY_OPERATOR_JURISDICTION":
      "Who runs the service, for its terms and privacy pages: all four, or none",
    SECRETS_KEY:
      "Seals endpoint keys: 32 random bytes; generated and shown on a terminal if missing",
    SECRETS_KEY_PREVIOUS: "Earlier values of SECRETS_KEY, newest first, separated by commas",
    OPERATOR_SECRET: "Creates the first API keys: 32 random bytes; generated likewise",
    SIGNING_KEY: "Signs results; generated if missing, never shown",
    "JUDGE_KEY_<PROVIDER>": "Keys of judges",
    "GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET": "OAuth app for sign-in with GitHub",
    "OPENID_CLIENT_ID, OPENID_CLIENT_SECRET": "The same at the OpenID provider OPENID_ISSUER",
    SITE_REBUILD_HOOK: "Address to call for a rebuild of the site",
    SITE_REBUILD_TOKEN: "Token for that address",
    ALERT_WEBHOOK_SECRET: "Signs alerts to the operator",
  },
  exitCodes: { 1: "Unexpected error", 2: "Invalid input, or the deployment could not continue" },
  notes: [
    "Secrets are taken only from the environment.",
    "All other settings, such as quotas and alerts, are in wrangler.toml: docs/configuration.md",
  ],
  examples: [
    "npm run deploy",
    "npm run deploy -- --dry-run",
    "npm run deploy -- --yes --name assay --plan paid --account 0123456789abcdef0123456789abcdef",
    "npm run deploy -- --site-only --yes",
  ],
};

/** Options of a deployment; null if neither flag nor environment sets one. */
export type DeployOptions = ReturnType<typeof deployOptions>;

/** Options of a deployment. Precedence: flags, then environment. Throws BadInput that quotes the invalid value. */
export function deployOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const parsed = parseCommand(deployCommand, args);
  const values = (parsed.help ? {} : parsed.values) as Values<typeof flags>;
  const given = (flag: WithVariable) => values[flag] ?? (env[flags[flag].env]?.trim() || null);
  const origin = given("origin");
  const revision = given("dataset-revision");
  const isImported = values["no-dataset"] ? false : values.dataset;
  return {
    /** Name of the Worker; database, bucket and queues are named after it. */
    name: formed(given("name"), nameForm, `--name ${nameRule}`),
    siteName: formed(given("site-name"), nameForm, `--site-name ${nameRule}`),
    account: formed(
      given("account"),
      /^[0-9a-f]{32}$/,
      "--account must be the 32 hex digits that wrangler whoami lists",
    ),
    plan: chosen(given("plan"), plans, "ASSAY_DEPLOY_PLAN"),
    /** A domain of the account, instead of workers.dev. */
    domain: formed(
      given("domain"),
      /^(?=.{1,253}$)([a-z0-9-]+\.)+[a-z]{2,}$/,
      "--domain must be a host name such as assay.example.com",
    ),
    location: chosen(given("location"), locationNames, "ASSAY_DEPLOY_LOCATION"),
    /** Address of a deployed service; default: the last deployment's address. */
    origin: origin === null ? null : originOf(origin, "--origin"),
    /** The commit of the imported dataset. */
    datasetRevision: formed(
      revision,
      /^[0-9a-f]{7,40}$/,
      "--dataset-revision must be a commit's SHA",
    ),
    /** Whether the dataset is imported; null: ask. */
    importsDataset: isImported ?? (revision === null ? null : true),
    dryRun: values["dry-run"] ?? false,
    siteOnly: values["site-only"] ?? false,
    rollback: values.rollback ?? false,
    /** File with an export of an earlier database. */
    database: readable(values.database ?? null),
    restored: values.restored ?? values.database !== undefined,
    yes: values.yes ?? false,
    help: parsed.help,
  };
}

/** Throws BadInput if a value has the wrong format. */
function formed(value: string | null, form: RegExp, what: string): string | null {
  if (value === null || form.test(value)) return value;
  throw new BadInput(`${what}, not "${value}".`);
}

/** Throws BadInput if a file can't be read. */
function readable(file: string | null): string | null {
  if (file !== null && !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new BadInput(`--database must be a file of wrangler d1 export, not "${file}".`);
  }
  return file;
}

/** Throws BadInput if a variable has a value that its flag does not allow. */
function chosen<T extends string>(value: string | null, choices: readonly T[], name: string) {
  const found = choices.find((one) => one === value) ?? null;
  if (found !== null || value === null) return found;
  throw new BadInput(`${name} must be one of ${choices.join(", ")}, not "${value}".`);
}

/** An address as a service's origin. Throws BadInput if it is invalid, or a secret could be read in transit. */
export function originOf(address: string, source: string): string {
  const { origin } = accessOf(address, source);
  if (!isUnencrypted(origin)) return origin;
  throw new BadInput(`${source} must be an address with https, not "${address}".`);
}

function accessOf(address: string, source: string) {
  try {
    return serviceAccess(address, undefined, source);
  } catch (error) {
    throw error instanceof BadInput ? new BadInput(`${error.message}.`) : error;
  }
}
