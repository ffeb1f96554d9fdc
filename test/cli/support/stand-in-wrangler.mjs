#!/usr/bin/env node
// Plays wrangler 4.164 for what `npm run deploy` asks of it: what it prints is what that version prints. It
// keeps an account in `account.json` of the folder STAND_IN, and notes each call in `calls.jsonl`.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";

const folder = process.env.STAND_IN;
const args = process.argv.slice(2);
// process.stdin would make the pipe non-blocking, so that reading before the input is there fails (EAGAIN).
const input = isatty(0) ? "" : readFileSync(0, "utf8");
const file = join(folder, "account.json");
const account = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { databases: [], buckets: [], objects: {}, queues: [], secrets: {}, workers: [], pages: {} };
const { fail = {}, accounts, hang } = JSON.parse(readFileSync(join(folder, "play.json"), "utf8"));
const call = args.filter((arg) => !arg.startsWith("-") && !arg.startsWith("/")).join(" ");
const environment = Object.keys(process.env).filter((name) =>
  /SECRET|JUDGE_KEY|REBUILD/.test(name),
);
appendFileSync(
  join(folder, "calls.jsonl"),
  `${JSON.stringify({ call, args, input, environment, account: process.env.CLOUDFLARE_ACCOUNT_ID })}\n`,
);

if (hang === call) await new Promise((resolve) => setTimeout(resolve, 60_000));
if (fail[call]) refuse(fail[call]);

const at = args.indexOf("--config");
const config = at < 0 ? null : JSON.parse(readFileSync(args[at + 1], "utf8"));
const [first, second, third, fourth] = args;

if (first === "whoami") {
  if (accounts.length === 0) {
    console.log(JSON.stringify({ loggedIn: false }, null, 2));
    process.exit(1);
  }
  const permissions = ["account:read", "workers:write"];
  const who = { loggedIn: true, authType: "OAuth Token", email: "ann@example.com", accounts };
  console.log(JSON.stringify({ ...who, tokenPermissions: permissions }, null, 2));
} else if (first === "d1" && second === "list") {
  console.log(JSON.stringify(account.databases, null, 2));
} else if (first === "d1" && second === "create") {
  if (account.databases.some(({ name }) => name === third)) {
    refuse("A database with that name already exists");
  }
  const uuid = `b2f6e3a0-0000-4000-8000-${String(account.databases.length).padStart(12, "0")}`;
  account.databases.push({
    uuid,
    name: third,
    created_at: "2026-11-02T00:00:00Z",
    version: "production",
  });
  console.log(
    `✅ Successfully created DB '${third}' in region WEUR\nCreated your new D1 database.\n`,
  );
} else if (first === "d1" && second === "execute") {
  const applied = account.migrations;
  if (applied === undefined) refuse("no such table: d1_migrations: SQLITE_ERROR [code: 7500]");
  console.log(
    JSON.stringify([{ results: applied.map((name) => ({ name })), success: true, meta: {} }]),
  );
} else if (first === "d1") {
  account.migrations ??= readdirSync(
    join(args[at + 1], "..", config.d1_databases[0].migrations_dir),
  );
  console.log("✅ No migrations to apply!");
} else if (first === "r2" && second === "object" && third === "get") {
  if (account.objects[fourth] === undefined) refuse("The specified key does not exist.");
  process.stdout.write(account.objects[fourth]);
} else if (first === "r2" && second === "object") {
  if (!account.buckets.includes(fourth.split("/")[0]))
    refuse("The specified bucket does not exist.");
  account.objects[fourth] = readFileSync(args[args.indexOf("--file") + 1], "utf8");
  console.log(`Creating object "${fourth}".\nUpload complete.`);
} else if (first === "deployments") {
  if (!account.workers.includes(fourth)) {
    refuse(
      `A request to the Cloudflare API (/accounts/0123/workers/scripts/${fourth}/deployments) failed.\n\n  This Worker does not exist on your account. [code: 10007]`,
    );
  }
  console.log(
    JSON.stringify([{ id: "0123", versions: [{ version_id: "0123", percentage: 100 }] }]),
  );
} else if (first === "r2" && third === "list") {
  const labelled = account.buckets.map(
    (name) => `name:           ${name}\ncreation_date:  2026-11-02T00:00:00.000Z`,
  );
  console.log(`Listing buckets...\n${labelled.join("\n\n")}`);
} else if (first === "r2") {
  account.buckets.push(fourth);
  console.log(
    `Creating bucket '${fourth}'...\n✅ Created bucket '${fourth}' with default storage class of Standard.`,
  );
} else if (first === "queues" && second === "list") {
  const from = 10 * (Number(args[args.indexOf("--page") + 1]) - 1);
  for (const [i, name] of account.queues.slice(from, from + 10).entries()) {
    console.log(`│ ${String(from + i).padStart(32, "0")} │ ${name} │ 2026-11-24 │ 0 │ 0 │`);
  }
} else if (first === "queues") {
  account.queues.push(third);
  console.log(`🌀 Creating queue '${third}'\n✅ Created queue '${third}'`);
} else if (first === "secret" && second === "list") {
  const names = account.secrets[config.name] ?? [];
  console.log(
    JSON.stringify(
      names.map((name) => ({ name, type: "secret_text" })),
      null,
      "  ",
    ),
  );
} else if (first === "secret") {
  account.secrets[config.name] = [...new Set([...(account.secrets[config.name] ?? []), third])];
  console.log(
    `🌀 Creating the secret for the Worker "${config.name}"\n✨ Success! Uploaded secret ${third}`,
  );
} else if (first === "deploy") {
  for (const { service } of config.services ?? []) {
    if (!account.workers.includes(service)) {
      refuse(
        `Could not resolve service binding 'SITE'. Target script '${service}' not found. [code: 10144]`,
      );
    }
  }
  if (!account.workers.includes(config.name)) account.workers.push(config.name);
  if (config.assets) {
    const index = join(args[at + 1], "..", config.assets.directory, "index.html");
    account.pages[config.name] = [
      ...(account.pages[config.name] ?? []),
      readFileSync(index, "utf8"),
    ];
  }
  const targets = config.workers_dev ? [process.env.STAND_IN_TARGET] : [];
  const entry = { type: "deploy", version: 1, worker_name: config.name, targets };
  appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, `${JSON.stringify(entry)}\n`);
  console.log(`Uploaded ${config.name} (1.00 sec)\nCurrent Version ID: 0123`);
} else {
  refuse(`Unknown arguments: ${args.join(" ")}`);
}
writeFileSync(file, JSON.stringify(account));

function refuse(message) {
  console.error(`\n✘ [ERROR] ${message}\n\n`);
  console.log('🪵  Logs were written to "/somewhere/wrangler.log"');
  process.exit(1);
}
