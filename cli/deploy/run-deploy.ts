import { BadInput } from "../bad-input.ts";
import { codeRevision } from "../code-revision.ts";
import { buildSite } from "./build-site.ts";
import { chooseAccount } from "./choose-account.ts";
import type { DeployOptions } from "./deploy-options.ts";
import {
  begunDeployments,
  type Deployment,
  folderOf,
  ROOT_FROM_FOLDER,
  readDeployment,
  writeDeployment,
} from "./deployment-file.ts";
import { dryRun } from "./dry-run.ts";
import { ensureResources } from "./ensure-resources.ts";
import { ensureSecrets } from "./ensure-secrets.ts";
import { fillService } from "./fill-service.ts";
import { firstPages } from "./first-pages.ts";
import { freePlanLimits, neededOfAccount } from "./free-plan.ts";
import { FIRST_NAME, FIRST_SUITE } from "./load-datasets.ts";
import { originOf } from "./origin-of.ts";
import type { Questions } from "./questions.ts";
import { resourceNames } from "./resource-names.ts";
import { serviceReady } from "./service-ready.ts";
import { settleRebuilds } from "./settle-rebuilds.ts";
import { queuesOf } from "./worker-configs.ts";
import { wranglerClient } from "./wrangler-client.ts";
import { type ConfigFiles, committedConfigs, writeConfigs } from "./write-configs.ts";

/** What a deployment reads and tells beside Cloudflare and the service. */
export interface DeployWorld {
  questions: Questions;
  env: Readonly<Record<string, string | undefined>>;
  tell: (line: string) => void;
  /** In place of a build of the site, which takes a while. */
  build?: typeof buildSite;
}

/** Deploys, step by step; every step finds what an earlier run has done. Throws BadInput or BadInput. */
export async function runDeploy(options: DeployOptions, world: DeployWorld): Promise<void> {
  const { questions, tell } = world;
  const name = await nameOf(options, questions);
  if (options.dryRun) return dryRun(name, options, tell);
  const deployment = await settle(name, options, world);
  const isFirst = deployment.origin === null;
  if (options.siteOnly) return siteOnly(deployment, options, world);
  const wrangler = wranglerClient(deployment.account);
  tell("\nResources");
  const queues = queuesOf((await committedConfigs()).api);
  const names = resourceNames(name, deployment.siteName, queues);
  const databaseId = await ensureResources(wrangler, names, (what, isNew) =>
    tell(`  ${what}: ${isNew ? "made" : "there"}`),
  );
  const files = await writeConfigs(folderOf(name), {
    ...{ names, databaseId, root: ROOT_FROM_FOLDER, revision: codeRevision() },
    ...{ account: deployment.account, plan: deployment.plan, domain: deployment.domain },
  });
  tell("\nDatabase");
  await wrangler.run("Bringing the database up to date", [
    ...["d1", "migrations", "apply", "DB", "--remote", "--config", files.api],
  ]);
  tell("  up to date");
  const deployed = await deployWorkers(deployment, files, world);
  const config = files.api;
  tell("\nSecrets");
  const secrets = await ensureSecrets({ wrangler, config, ...world });
  await serviceReady(deployed.origin!);
  const known = { ...deployed, rebuilds: secrets.rebuilds };
  const filled = await fillService(known, secrets.operator, options, world);
  if (!filled.rebuilds && questions.isAttended) {
    tell("");
    filled.rebuilds = await settleRebuilds({ wrangler, config, questions, tell });
    writeDeployment(filled);
  }
  await publishSite(filled, files, world);
  tell(closing(filled, isFirst));
}

async function nameOf({ name }: DeployOptions, questions: Questions): Promise<string> {
  if (name !== null) return name;
  const [begun = "assay"] = begunDeployments();
  return questions.text("Name of the deployment (--name)", begun);
}

/** Account, plan and names, from flags, from an earlier run, or asked for; nothing was made yet. */
async function settle(
  name: string,
  options: DeployOptions,
  { questions, tell }: DeployWorld,
): Promise<Deployment> {
  const before = readDeployment(name);
  const account = await chooseAccount(options.account ?? before?.account ?? null, questions);
  tell(`Account  ${account.name} (${account.id})`);
  const plan = options.plan ?? before?.plan ?? (await planOf(questions, tell));
  if (before === null) tell(["\nIt needs", ...neededOfAccount.map((one) => `  ${one}`)].join("\n"));
  if (plan === "free") {
    tell(["\nOn the Free plan", ...freePlanLimits.map((one) => `  ${one}`)].join("\n"));
  }
  const deployment: Deployment = {
    ...{ name, account: account.id, plan },
    siteName: options.siteName ?? before?.siteName ?? `${name}-site`,
    domain: options.domain ?? before?.domain ?? null,
    origin: before?.origin ?? null,
    firstKey: before?.firstKey ?? null,
    datasetRevision: before?.datasetRevision ?? null,
    rebuilds: before?.rebuilds ?? false,
  };
  if (!options.siteOnly && !(await questions.confirm(`\nDeploy ${name} now?`, true))) {
    throw new BadInput("Nothing was made.");
  }
  writeDeployment(deployment);
  return deployment;
}

async function planOf(questions: Questions, tell: (line: string) => void) {
  if (!questions.isAttended) return "paid" as const;
  tell("\nCloudflare doesn't tell the plan of an account. On the Free plan");
  for (const limit of freePlanLimits) tell(`  ${limit}`);
  const isPaid = await questions.confirm("\nIs the account on the Workers Paid plan?", true);
  return isPaid ? ("paid" as const) : ("free" as const);
}

/** The site's Worker first: that of the API is bound to it. */
async function deployWorkers(
  deployment: Deployment,
  files: ConfigFiles,
  { tell }: DeployWorld,
): Promise<Deployment> {
  tell("\nWorkers");
  const wrangler = wranglerClient(deployment.account);
  if (deployment.origin === null) {
    firstPages(files.pages);
    await wrangler.deploy("Deploying the site's Worker", ["--config", files.site]);
    tell(`  ${deployment.siteName}: deployed`);
  }
  const targets = await wrangler.deploy("Deploying the API's Worker", ["--config", files.api]);
  const address = addressOf(targets, deployment.domain);
  if (address === null) {
    throw new BadInput(
      "The Worker was deployed, but at no address: choose a workers.dev subdomain, or give --domain.",
    );
  }
  const deployed = { ...deployment, origin: originOf(address, "The Worker's address") };
  writeDeployment(deployed);
  tell(`  ${deployment.name}: ${deployed.origin}`);
  return deployed;
}

/** Targets are addresses of workers.dev with https, domains without, and what has no address at all. */
function addressOf(targets: readonly string[], domain: string | null): string | null {
  if (domain !== null) return `https://${domain}`;
  return targets.find((target) => /^https?:\/\//.test(target)) ?? null;
}

async function publishSite(
  deployment: Deployment,
  files: ConfigFiles,
  { tell, build = buildSite }: DeployWorld,
): Promise<void> {
  tell("\nSite");
  await build(deployment.origin!, files.pages, firstBoardOf(deployment));
  await wranglerClient(deployment.account).deploy("Deploying the site", ["--config", files.site]);
  tell("  built and deployed");
}

/** Which dataset's board stands for its suite on the first page. */
const firstBoardOf = ({ datasetRevision }: Deployment): string | null =>
  datasetRevision ? `${FIRST_SUITE}=${FIRST_NAME}` : null;

async function siteOnly(
  deployment: Deployment,
  options: DeployOptions,
  world: DeployWorld,
): Promise<void> {
  const origin = options.origin ?? deployment.origin;
  if (origin === null) {
    throw new BadInput(
      `Nothing is known of where ${deployment.name} is: give --origin, or deploy it from here first.`,
    );
  }
  const names = resourceNames(deployment.name, deployment.siteName, []);
  const files = await writeConfigs(folderOf(deployment.name), {
    ...{ names, databaseId: "", root: ROOT_FROM_FOLDER, revision: codeRevision() },
    ...{ account: deployment.account, plan: deployment.plan, domain: deployment.domain },
  });
  await publishSite({ ...deployment, origin }, files, world);
  world.tell(`\n  ${origin}/`);
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
