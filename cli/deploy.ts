import { existsSync } from "node:fs";
import { join } from "node:path";
import { BadInput } from "./bad-input.ts";
import { deployOptions } from "./deploy/deploy-options.ts";
import { noQuestions, terminalQuestions } from "./deploy/questions.ts";
import { runDeploy } from "./deploy/run-deploy.ts";
import { root } from "./local/root.ts";
import { createForOwner, ownerFolder } from "./owner-only.ts";

/** What `npm run deploy -- --help` prints. */
const deployUsage = `npm run deploy [-- options]

Deploys the service and its site to a Cloudflare account, and asks for what it has to know. What exists in
the account is found and kept, so that the same command continues where an earlier one stopped, on any machine, and
upgrades a deployment.

  --name NAME            the Worker's name, after which database, bucket and queues are named (assay)
  --site-name NAME       the name of the Worker that holds the site (NAME-site)
  --account ID           the account, where the login has several
  --plan paid|free       the account's Workers plan; a free account can do less, which is said first
  --domain HOST          serve at a domain of the account in place of workers.dev
  --dataset, --no-dataset
                         import paraloq/json_data_extraction as the first extraction board, or don't
  --dataset-revision SHA the commit to import; without it the newest, which later runs keep to
  --site-only            build the site from the service and deploy it, nothing else; needs the revision that the
                         service runs
  --origin URL           the service's address, for --site-only where the account does not know it
  --dry-run              write the configuration and bundle both Workers; ask and make nothing
  --yes                  ask nothing: what was not said is taken as its default
  --help                 show this

In place of flags, for jobs of continuous integration: CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID,
ASSAY_DEPLOY_NAME, ASSAY_DEPLOY_SITE_NAME, ASSAY_DEPLOY_PLAN, ASSAY_DEPLOY_DOMAIN, ASSAY_ORIGIN,
ASSAY_DATASET_REVISION; ASSAY_FIRST_DATASETS, as extraction=paraloq, has the first page show that board of a
suite. Secrets are taken from the environment alone: SECRETS_KEY and OPERATOR_SECRET (32 random
bytes each; made and shown where a terminal is there), SIGNING_KEY (made where it is missing, shown to nobody),
JUDGE_KEY_<PROVIDER>, SITE_REBUILD_HOOK, SITE_REBUILD_TOKEN.

Examples
  npm run deploy
  npm run deploy -- --dry-run
  npm run deploy -- --yes --name assay --plan paid --account 0123456789abcdef0123456789abcdef
  npm run deploy -- --site-only --yes`;

process.on("SIGINT", () => {
  console.error("\nStopped. The same command goes on from here.");
  process.exit(130);
});

// Configurations, logs and pages of deployments.
createForOwner();

try {
  ownerFolder(join(root, ".deploy"));
  if (existsSync(".env")) process.loadEnvFile();
  const options = deployOptions(process.argv.slice(2), process.env);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (options.help) console.log(deployUsage);
  else if (!isTerminal && !options.yes && !options.dryRun) {
    throw new BadInput("There is no terminal to ask in: add --yes, and say the rest by flags.");
  } else {
    const questions = options.yes || options.dryRun ? noQuestions : terminalQuestions();
    await runDeploy(options, { questions, env: process.env, tell: (line) => console.log(line) });
  }
} catch (error) {
  const isTold = error instanceof BadInput;
  console.error(isTold ? `\n${error.message}` : error);
  process.exitCode = 1;
}
