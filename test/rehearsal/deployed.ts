import { execFile, execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { suites } from "#shared/suites/registry.ts";
import { queuesOf, resourceNames } from "../../cli/deploy/worker-configs.ts";
import { committedConfigs, writeConfigs } from "../../cli/deploy/write-configs.ts";
import { codeRevision, root } from "../../cli/local/root.ts";
import { newSigningKey } from "../../cli/local/wrangler.ts";
import { changedFiles } from "./checkout.ts";
import { type Account, newAccount, type Script } from "./cloud/account.ts";
import { type Cloud, openCloud } from "./cloud/cloud.ts";

const folder = join(root, "node_modules", ".cache", "rehearsal");

/** An account after a deployment, and the folder with its databases and buckets. */
interface Deployed {
  account: Account;
  data: string;
}

interface Wish {
  plan: Account["plan"];
  name: string;
  secrets: Readonly<Record<string, string>>;
}

/**
 * Returns a copy of an account as `npm run deploy` leaves it, except that the site has only a first page. Writes
 * resources, schema and data directly and uploads the API's Worker with wrangler, which takes seconds instead of
 * minutes. Made once for each state of the files and each plan, and cached in node_modules/.cache/rehearsal.
 */
export async function deployedAccount(wish: Wish): Promise<Deployed> {
  const kept = join(folder, `${wish.plan}-${stateOfFiles()}`);
  if (!existsSync(kept)) await keep(kept, wish);
  return {
    account: deserialize(readFileSync(join(kept, "account"))) as Account,
    data: join(kept, "data"),
  };
}

async function keep(kept: string, wish: Wish): Promise<void> {
  const { plan, name, secrets } = wish;
  const making = `${kept}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  for (const one of readdirSync(folder)) {
    const isOld = one.startsWith(`${plan}-`) && !one.includes(".");
    if (isOld) rmSync(join(folder, one), { recursive: true, force: true });
  }
  const names = resourceNames(name, `${name}-site`, queuesOf((await committedConfigs()).api));
  const cloud = await openCloud({ names: [name], account: emptyOf(plan, names) });
  try {
    await migrate(cloud);
    await uploadApi(cloud, names, making);
    const stored = cloud.account.scripts.get(name)!.secrets;
    for (const [key, value] of Object.entries(secrets)) stored.set(key, value);
    stored.set("SIGNING_KEY", newSigningKey());
    cloud.workers.changed();
    await loadStock(cloud, name, secrets["OPERATOR_SECRET"] ?? "");
    const state = {
      name,
      siteName: names.site,
      account: cloud.account.id,
      plan,
      domain: null,
      origin: originOf(cloud.account, name),
      firstKey: null,
      datasetRevision: "",
      rebuilds: false,
    };
    const content = new TextEncoder().encode(JSON.stringify(state));
    await cloud.workers.putObject(names.bucket, "deployment.json", content);
  } finally {
    await cloud.close(join(making, "data"));
  }
  writeFileSync(join(making, "account"), serialize(cloud.account));
  // Another process may have made the same account in the meantime.
  if (existsSync(kept)) rmSync(making, { recursive: true });
  else renameSync(making, kept);
}

type Names = ReturnType<typeof resourceNames>;

const originOf = ({ subdomain }: Account, name: string) =>
  `https://${name}.${subdomain}.workers.dev`;

/** An account with all resources and a site Worker that has only a first page. */
function emptyOf(plan: Account["plan"], { database, bucket, queues, site }: Names): Account {
  const account = newAccount({ plan });
  const uuid = randomUUID();
  account.databases.set(uuid, { uuid, name: database, location: null });
  account.buckets.set(bucket, null);
  for (const name of queues.values()) {
    account.queues.set(name, { id: randomUUID().replaceAll("-", ""), name, consumer: null });
  }
  account.scripts.set(site, sitesWorker(site));
  return account;
}

function sitesWorker(name: string): Script {
  const content = new TextEncoder().encode("<!doctype html><title>Assay</title>");
  const page = { hash: "first", content, type: "text/html" };
  return {
    name,
    tag: randomUUID().replaceAll("-", ""),
    version: randomUUID(),
    metadata: {
      compatibility_date: "2026-11-02",
      assets: { jwt: "", config: { not_found_handling: "404-page" } },
    },
    modules: [],
    assets: new Map(["/index.html", "/404.html"].map((path) => [path, page])),
    secrets: new Map(),
    crons: [],
    isOnSubdomain: false,
    domains: [],
  };
}

/** Applies the migrations and records them in wrangler's table. */
async function migrate({ account, workers }: Cloud): Promise<void> {
  const [id] = [...account.databases.keys()];
  const files = readdirSync(join(root, "migrations")).filter((file) => file.endsWith(".sql"));
  const noted = `CREATE TABLE IF NOT EXISTS "d1_migrations"(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
  await workers.query(id!, noted, []);
  for (const file of files.sort()) {
    await workers.query(id!, readFileSync(join(root, "migrations", file), "utf8"), []);
    await workers.query(id!, "INSERT INTO d1_migrations (name) VALUES (?)", [file]);
  }
}

async function uploadApi({ account, env }: Cloud, names: Names, making: string): Promise<void> {
  const configs = join(making, "configs");
  mkdirSync(configs);
  const { api } = await writeConfigs(configs, {
    names,
    databaseId: [...account.databases.keys()][0] ?? "",
    account: account.id,
    plan: account.plan,
    domain: null,
    location: "auto",
    revision: codeRevision(),
    root: `${root}/`,
  });
  const wrangler = join(root, "node_modules", ".bin", "wrangler");
  await promisify(execFile)(wrangler, ["deploy", "--config", api], {
    cwd: root,
    env: { ...process.env, ...env, CLOUDFLARE_ACCOUNT_ID: account.id },
  });
  rmSync(configs, { recursive: true });
}

async function loadStock({ account, workers }: Cloud, name: string, secret: string): Promise<void> {
  for (const { id } of suites) {
    const body = readFileSync(join(root, "shared", "suites", id, "stock.jsonl"), "utf8");
    const url = `${originOf(account, name)}/v1/datasets?suite=${id}&name=stock&visibility=public`;
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/jsonl" };
    const reply = await workers.fetch(url, { method: "POST", headers, body });
    if (!reply?.ok) throw new Error(`stock of ${id}: ${await reply?.text()}`);
  }
}

/** Hash of all files except the tests. */
function stateOfFiles(): string {
  const hash = createHash("sha256");
  const listed = execFileSync("git", ["ls-tree", "HEAD"], { cwd: root, encoding: "utf8" });
  for (const line of listed.split("\n")) if (!line.endsWith("\ttest")) hash.update(line);
  for (const file of changedFiles().filter((one) => !one.startsWith("test/"))) {
    hash.update(file);
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
