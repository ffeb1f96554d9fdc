import { codeRevision } from "../local/root.ts";
import type { DeployOptions } from "./deploy-options.ts";
import { folderOf, ROOT_FROM_FOLDER } from "./deployment-state.ts";
import { accountNeeds, freePlanLimits } from "./free-plan.ts";
import { queuesOf, resourceNames } from "./worker-configs.ts";
import type { Wrangler } from "./wrangler-client.ts";
import { committedConfigs, writeConfigs, writePlaceholderPages } from "./write-configs.ts";

/** Id of a database that does not exist yet. */
const NO_DATABASE = "00000000-0000-0000-0000-000000000000";

/** Bundles both Workers with the configuration of a deployment; creates nothing and asks no questions. */
export async function dryRun(
  name: string,
  options: DeployOptions,
  wrangler: Wrangler,
  print: (line: string) => void,
): Promise<void> {
  const names = resourceNames(
    name,
    options.siteName ?? `${name}-site`,
    queuesOf((await committedConfigs()).api),
  );
  const plan = options.plan ?? "paid";
  const files = await writeConfigs(`${folderOf(name)}-dry-run`, {
    names,
    databaseId: NO_DATABASE,
    account: options.account,
    plan,
    domain: options.domain,
    location: options.location ?? "auto",
    root: ROOT_FROM_FOLDER,
    revision: codeRevision(),
  });
  writePlaceholderPages(files.pages);
  print("Would be created, if missing:");
  const made = [`Worker ${names.worker}`, `Worker ${names.site}, the site`];
  made.push(`Database ${names.database}`, `Bucket ${names.bucket}`);
  made.push(...[...names.queues.values()].map((queue) => `Queue ${queue}`));
  for (const one of made) print(`  ${one}`);
  print("\nIt needs");
  for (const one of accountNeeds) print(`  ${one}`);
  if (plan === "free") {
    print("\nOn the Free plan");
    for (const one of freePlanLimits) print(`  ${one}`);
  }
  print("\nBundles");
  const bundle = (what: string, config: string) =>
    wrangler.run(`Bundling ${what}`, ["deploy", "--dry-run", "--config", config]);
  const size = /Total Upload: (.+)/.exec(await bundle("the API's Worker", files.api));
  print(`  API   ${size?.[1] ?? "bundled"}`);
  await bundle("the site's Worker", files.site);
  print("   Site files alone, built from the service later");
  print(`\nNothing was created. The configuration is in ${files.api} and ${files.site}.`);
}
