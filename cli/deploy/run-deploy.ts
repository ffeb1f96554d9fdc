import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, stripVTControlCharacters } from "node:util";
import { BadInput } from "../errors.ts";
import { codeRevision, root } from "../local/root.ts";
import { siteBuild } from "../local/site-builder.ts";
import { chooseAccount } from "./choose-account.ts";
import {
  type DataLocation,
  type DeployOptions,
  locationNames,
  locations,
  originOf,
} from "./deploy-options.ts";
import {
  type Deployment,
  folderOf,
  knownDeployments,
  ROOT_FROM_FOLDER,
  readDeployment,
  writeDeployment,
} from "./deployment-state.ts";
import { dryRun } from "./dry-run.ts";
import { ensureResources, makeConsistent, migrate } from "./ensure-resources.ts";
import { configureRebuilds, ensureSecrets } from "./ensure-secrets.ts";
import { accountNeeds, freePlanLimits } from "./free-plan.ts";
import { FIRST_NAME, FIRST_SUITE } from "./load-datasets.ts";
import type { Questions } from "./questions.ts";
import { withoutSecrets } from "./secret-names.ts";
import { seedService } from "./seed-service.ts";
import { deployedRevision, waitForService } from "./wait-for-service.ts";
import { queuesOf, type ResourceNames, resourceNames } from "./worker-configs.ts";
import type { Wrangler } from "./wrangler-client.ts";
import {
  type ConfigFiles,
  committedConfigs,
  writeConfigs,
  writePlaceholderPages,
} from "./write-configs.ts";

/** Input and output of a deployment, except Cloudflare and the service. */
export interface DeployWorld {
  questions: Questions;
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  /** `account`: the account of the resources; null if wrangler knows it. */
  wrangler: (account: string | null) => Wrangler;
  /** Replaces a build of the site, which is slow. */
  build?: typeof buildSite;
}

/** Deploys, step by step; each step finds what an earlier deployment has created. Throws BadInput. */
export async function runDeploy(options: DeployOptions, world: DeployWorld): Promise<void> {
  const { questions, print } = world;
  const name = await nameOf(options, questions);
  if (options.dryRun) return dryRun(name, options, world.wrangler(options.account), print);
  // Loading takes seconds; meanwhile, wrangler reads the login.
  void committedConfigs();
  const { deployment, before } = await settle(name, options, world);
  if (options.siteOnly) return siteOnly(deployment, options, world);
  const wrangler = world.wrangler(deployment.account);
  print("\nResources");
  const names = await namesOf(deployment);
  const known = { location: deployment.location, hasBucket: before !== null };
  const { id, isNew, hasSite } = await ensureResources(wrangler, names, known, (what, made) =>
    print(`  ${what}: ${made ? "created" : "exists"}`),
  );
  let stored = before;
  const save = async (state: Deployment) => {
    if (!isDeepStrictEqual(state, stored)) await writeDeployment(wrangler, names.bucket, state);
    stored = { ...state };
  };
  const files = await filesOf(deployment, names, id);
  print("\nDatabase");
  const migrating = migrate(wrangler, files.api, { ...options, isNew });
  const [migrated] = await Promise.all([migrating, save(deployment)]);
  print(migrated);
  if (options.restored) {
    await makeConsistent(wrangler, files.api, Date.now());
    print("  active runs continue, and everything public is published again");
  }
  const origin = await deployWorkers(deployment, hasSite, files, world);
  print("\nSecrets");
  const secrets = await ensureSecrets({ ...world, wrangler, config: files.api });
  await waitForService(origin);
  const deployed = { ...deployment, origin, rebuilds: secrets.rebuilds };
  const filled = await seedService(deployed, secrets.operator, options, { ...world, save });
  if (!filled.rebuilds && questions.isAttended) {
    print("");
    filled.rebuilds = await configureRebuilds({ ...world, wrangler, config: files.api });
  }
  await save(filled);
  await buildPages(filled, files, world);
  await publishPages(filled, files, world);
  print(closing(filled, deployment.origin === null));
}

async function nameOf({ name }: DeployOptions, questions: Questions): Promise<string> {
  if (name !== null) return name;
  return questions.text("Name of the deployment (--name)", knownDeployments()[0]?.name ?? "assay");
}

/** Account, plan and names, from flags, from the account's state, or by questions; creates nothing. */
async function settle(
  name: string,
  options: DeployOptions,
  { questions, print, wrangler }: DeployWorld,
): Promise<{ deployment: Deployment; before: Deployment | null }> {
  const known = knownDeployments().find((one) => one.name === name);
  const wanted = options.account ?? known?.account ?? null;
  const account = await chooseAccount(wanted, wrangler(null), questions);
  print(`Account  ${account.name} (${account.id})`);
  const { bucket } = resourceNames(name, "", []);
  const before = await readDeployment(wrangler(account.id), bucket);
  const plan = options.plan ?? before?.plan ?? (await planOf(questions, print));
  if (before === null) print(["\nIt needs", ...accountNeeds.map((one) => `  ${one}`)].join("\n"));
  if (plan === "free") {
    print(["\nOn the Free plan", ...freePlanLimits.map((one) => `  ${one}`)].join("\n"));
  }
  const location = before?.location ?? options.location ?? (await locationOf(questions));
  if (before !== null && options.location !== null && options.location !== location) {
    throw new BadInput(
      `${name} was deployed with --location ${location}, and its database can't be moved: leave --location out, or choose another --name.`,
    );
  }
  const deployment: Deployment = {
    name,
    account: account.id,
    plan,
    location,
    siteName: options.siteName ?? before?.siteName ?? `${name}-site`,
    domain: options.domain ?? before?.domain ?? null,
    origin: before?.origin ?? null,
    firstKey: before?.firstKey ?? null,
    datasetRevision: before?.datasetRevision ?? null,
    rebuilds: before?.rebuilds ?? false,
  };
  if (!options.siteOnly && !(await questions.confirm(`\nDeploy ${name} now?`, true))) {
    throw new BadInput("Nothing was created.");
  }
  return { deployment, before };
}

async function planOf(questions: Questions, print: (line: string) => void) {
  if (!questions.isAttended) return "paid" as const;
  print("\nThe account's plan is not available from Cloudflare's API. On the Free plan");
  for (const limit of freePlanLimits) print(`  ${limit}`);
  const isPaid = await questions.confirm("\nIs the account on the Workers Paid plan?", true);
  return isPaid ? ("paid" as const) : ("free" as const);
}

/** The service calls the database often and readers call the service seldom, so the location of the database matters. */
async function locationOf(questions: Questions): Promise<DataLocation> {
  if (!questions.isAttended) return "auto";
  const at = await questions.choice(
    "Where should database, bucket and Worker be located? Choose the region of most submitters and endpoints: it can't be changed later (--location).",
    locationNames.map((one) =>
      one === "auto" ? locations.auto.where : `${one}: ${locations[one].where}`,
    ),
  );
  return locationNames[at] ?? "auto";
}

/**
 * Deploys only the site. Pages must have the revision of the service, because other code may interpret results
 * differently.
 */
async function siteOnly(
  before: Deployment,
  options: DeployOptions,
  world: DeployWorld,
): Promise<void> {
  const origin = options.origin ?? before.origin;
  if (origin === null) {
    throw new BadInput(
      `The account has no deployment ${before.name} with an address: give --origin, or deploy it first.`,
    );
  }
  const deployment = { ...before, origin };
  await requireRevision(origin, codeRevision());
  const files = await filesOf(deployment, await namesOf(deployment), "");
  await buildPages(deployment, files, world);
  // The service may have been upgraded during the build; then its deployment publishes newer pages.
  await requireRevision(origin, codeRevision());
  await publishPages(deployment, files, world);
  world.print(`\n  ${origin}/`);
}

async function requireRevision(origin: string, own: string): Promise<void> {
  const deployed = await deployedRevision(origin);
  if (deployed === own) return;
  throw new BadInput(
    `${origin} runs ${deployed ?? "code without a revision"}, this folder has ${own}. Check out the deployed revision, or deploy this one with npm run deploy.`,
  );
}

const filesOf = (deployment: Deployment, names: ResourceNames, databaseId: string) =>
  writeConfigs(folderOf(deployment.name), {
    names,
    databaseId,
    account: deployment.account,
    plan: deployment.plan,
    domain: deployment.domain,
    location: deployment.location,
    revision: codeRevision(),
    root: ROOT_FROM_FOLDER,
  });

const namesOf = async ({ name, siteName }: Pick<Deployment, "name" | "siteName">) =>
  resourceNames(name, siteName, queuesOf((await committedConfigs()).api));

async function buildPages(
  { origin, datasetRevision, plan }: Deployment,
  files: ConfigFiles,
  { print, build = buildSite }: DeployWorld,
): Promise<void> {
  print("\nSite");
  const firstBoard = datasetRevision ? `${FIRST_SUITE}=${FIRST_NAME}` : null;
  const done = await build(origin!, files.pages, { firstBoard, filesMax: SITE_FILES_MAX[plan] });
  if (done) print(`  ${done}`);
}

/** Source: developers.cloudflare.com, Workers limits, static assets (2026-11). */
const SITE_FILES_MAX = { free: 20_000, paid: 100_000 };

/** Default: built in about six minutes, because hosted builds are stopped after 20 or 30. */
export const SITE_FILES = 4_000;

/** Lines shown from the log of a failed build. */
const LOG_LINES = 15;

/** Builds the site from a service's results into `pages`; returns a summary. Throws BadInput that names the log. */
async function buildSite(
  origin: string,
  pages: string,
  { firstBoard, filesMax }: { firstBoard: string | null; filesMax: number },
): Promise<string> {
  const log = join(pages, "..", "site-build.log");
  const out = openSync(log, "w");
  const [node = "", ...args] = siteBuild(pages);
  const env: NodeJS.ProcessEnv = {
    ...withoutSecrets(process.env),
    ASTRO_TELEMETRY_DISABLED: "1",
  };
  env["ASSAY_ORIGIN"] = origin;
  if (firstBoard !== null) env["ASSAY_FIRST_DATASETS"] ||= firstBoard;
  env["ASSAY_SITE_FILES"] ||= `${SITE_FILES}`;
  env["ASSAY_SITE_FILES_MAX"] = `${filesMax}`;
  const child = spawn(node, args, { cwd: root, env, stdio: ["ignore", out, out] });
  const code = await new Promise<number | null>((resolve) => {
    child.on("exit", resolve);
    child.on("error", () => resolve(null));
  });
  closeSync(out);
  const text = stripVTControlCharacters(readFileSync(log, "utf8"));
  if (code !== 0) {
    const end = text.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
    throw new BadInput(`The site could not be built; see ${log}, which ends with:\n${end}`);
  }
  return /read [\d,]+ of .+ s$/m.exec(text)?.[0] ?? "";
}

async function publishPages(
  { account }: Deployment,
  files: ConfigFiles,
  { print, wrangler }: DeployWorld,
): Promise<void> {
  await wrangler(account).deploy("Deploying the site", ["--config", files.site]);
  print("  built and deployed");
}

/**
 * Deploys the API's Worker; returns its origin. It is bound to the site's Worker, which must exist: a new one gets
 * a placeholder page, and an existing one does not change until its new pages are built.
 */
async function deployWorkers(
  deployment: Deployment,
  hasSite: boolean,
  files: ConfigFiles,
  { print, wrangler }: DeployWorld,
): Promise<string> {
  print("\nWorkers");
  const { deploy } = wrangler(deployment.account);
  if (!hasSite) {
    writePlaceholderPages(files.pages);
    await deploy("Deploying the site's Worker", ["--config", files.site]);
    print(`  ${deployment.siteName}: deployed`);
  }
  const targets = await deploy("Deploying the API's Worker", ["--config", files.api]);
  const address = addressOf(targets, deployment.domain);
  if (address === null) {
    throw new BadInput(
      "The Worker was deployed, but has no address: choose a workers.dev subdomain, or give --domain.",
    );
  }
  const origin = originOf(address, "The Worker's address");
  print(`  ${deployment.name}: ${origin}`);
  return origin;
}

/** Targets on workers.dev begin with https, domains do not; other targets are not addresses. */
function addressOf(targets: readonly string[], domain: string | null): string | null {
  if (domain !== null) return `https://${domain}`;
  return targets.find((target) => /^https?:\/\//.test(target)) ?? null;
}

function closing(
  { origin, name, datasetRevision, rebuilds }: Deployment,
  isFirst: boolean,
): string {
  const lines = [
    ["Site", `${origin}/`],
    ["Submit", `${origin}/submit/`],
    ["API docs", `${origin}/docs/`],
    ["Health", `${origin}/healthz`],
  ];
  const dataset = datasetRevision ? FIRST_NAME : "stock";
  const next = [
    `ASSAY_URL=${origin} npx assay init`,
    `ASSAY_URL=${origin} npx assay run --config assay.yaml --dataset ${dataset}`,
    ...(rebuilds ? [] : [`npm run deploy -- --name ${name} --site-only   # when results changed`]),
  ];
  return [
    `\nAssay is ${isFirst ? "deployed" : "up to date"}:`,
    ...lines.map(([label = "", url]) => `  ${label.padEnd(8)}  ${url}`),
    "\nNext, with the API key in the environment variable ASSAY_API_KEY:",
    ...next.map((one) => `  ${one}`),
  ].join("\n");
}
