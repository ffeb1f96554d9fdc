import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { CallWrangler } from "../../../cli/deploy/wrangler-client.ts";

/** A call of wrangler with its arguments and standard input. */
export interface Call {
  call: string;
  args: readonly string[];
  input: string;
  /** Variables whose names look like those of secrets. */
  environment: string[];
  account: string | undefined;
  /** Whether the call succeeded; null while it runs. */
  ok: boolean | null;
}

export interface Play {
  /** Error messages by call; these calls fail. */
  fail?: Record<string, string>;
  accounts?: readonly { id: string; name: string }[];
  /** A call that never ends. */
  hang?: string;
}

/** State of the Cloudflare account. */
interface PlayedAccount {
  databases: { uuid: string; name: string; created_at: string; version: string }[];
  buckets: string[];
  objects: Record<string, string>;
  queues: string[];
  secrets: Record<string, string[]>;
  workers: string[];
  pages: Record<string, string[]>;
  migrations?: string[];
}

/** The fields of a Worker's configuration that the stand-in reads. */
interface Config {
  name: string;
  d1_databases: [{ migrations_dir: string }];
  services?: { service: string }[];
  workers_dev?: boolean;
  assets?: { directory: string };
}

class Refusal extends Error {
  /** Output to print; if absent, the message is printed as an error. */
  readonly stdout: string | undefined;
  constructor(message: string, stdout?: string) {
    super(message);
    this.stdout = stdout;
  }
}

/**
 * Stand-in for the wrangler calls of `npm run deploy`, with wrangler's output. `target` is the
 * address of the deployed service.
 */
export class StandInWrangler {
  readonly account: PlayedAccount = {
    databases: [],
    buckets: [],
    objects: {},
    queues: [],
    secrets: {},
    workers: [],
    pages: {},
  };
  readonly calls: Call[] = [];
  play: Play = {};
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  readonly call: CallWrangler = async (args, input, env) => {
    const one: Call = {
      call: args.filter((arg) => !arg.startsWith("-") && !arg.startsWith("/")).join(" "),
      args,
      input,
      environment: Object.keys(env).filter((name) => /SECRET|JUDGE_KEY|REBUILD/.test(name)),
      account: env["CLOUDFLARE_ACCOUNT_ID"],
      ok: null,
    };
    this.calls.push(one);
    if (this.play.hang === one.call) await new Promise(() => {});
    try {
      const failure = this.play.fail?.[one.call];
      if (failure !== undefined) throw new Refusal(failure);
      const stdout = this.#answer(args, input, env);
      one.ok = true;
      return { ok: true, stdout, text: stripVTControlCharacters(stdout).trim() };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      one.ok = false;
      const log = '🪵  Logs were written to "/somewhere/wrangler.log"\n';
      const stdout = error.stdout ?? log;
      const stderr = error.stdout === undefined ? `\n✘ [ERROR] ${error.message}\n\n\n` : "";
      return { ok: false, stdout, text: (stderr + stdout).trim() };
    }
  };

  #answer(args: readonly string[], input: string, env: NodeJS.ProcessEnv): string {
    const [first, second, third] = args;
    const answers: Record<string, () => string> = {
      "whoami --json": () => this.#whoami(),
      "d1 list": () => json(this.account.databases),
      "d1 create": () => this.#createDatabase(third!),
      "d1 execute": () => this.#migrations(),
      "d1 migrations": () => this.#migrate(args),
      "r2 object": () => this.#object(args, input),
      "r2 bucket": () => this.#bucket(args),
      "queues list": () => this.#listQueues(args),
      "queues create": () => this.#createQueue(third!),
      "deployments list": () => this.#deployments(args[3]!),
      "secret list": () => this.#listSecrets(configOf(args)),
      "secret bulk": () => this.#setSecrets(configOf(args), input),
      "deploy --config": () => this.#deploy(args, env["WRANGLER_OUTPUT_FILE_PATH"]!),
    };
    const answer = answers[`${first} ${second}`];
    return answer === undefined ? refuse(`Unknown arguments: ${args.join(" ")}`) : answer();
  }

  #whoami(): string {
    const accounts = this.play.accounts ?? [];
    if (accounts.length === 0) return refuse("", json({ loggedIn: false }));
    const tokenPermissions = ["account:read", "workers:write"];
    const who = { loggedIn: true, authType: "OAuth Token", email: "ann@example.com", accounts };
    return json({ ...who, tokenPermissions });
  }

  #createDatabase(name: string): string {
    const { databases } = this.account;
    if (databases.some((one) => one.name === name)) {
      return refuse("A database with that name already exists");
    }
    const uuid = `b2f6e3a0-0000-4000-8000-${String(databases.length).padStart(12, "0")}`;
    databases.push({ uuid, name, created_at: "2026-11-02T00:00:00Z", version: "production" });
    const binding = { binding: "DB", database_name: name, database_id: uuid };
    const snippet = Object.entries(binding).map(([key, value]) => `${key} = "${value}"`);
    return `✅ Successfully created DB '${name}' in region WEUR\nCreated your new D1 database.\n\nTo access your new D1 Database in your Worker, add the following snippet to your configuration file:\n[[d1_databases]]\n${snippet.join("\n")}\n`;
  }

  #migrations(): string {
    const { migrations } = this.account;
    if (migrations === undefined) {
      return refuse("no such table: d1_migrations: SQLITE_ERROR [code: 7500]");
    }
    return json([{ results: migrations.map((name) => ({ name })), success: true, meta: {} }]);
  }

  #migrate(args: readonly string[]): string {
    const { d1_databases } = configOf(args);
    const files = readdirSync(join(folderOf(args), d1_databases[0].migrations_dir));
    const own = files.filter((file) => file.endsWith(".sql"));
    this.account.migrations = [...new Set([...(this.account.migrations ?? []), ...own])];
    return "✅ No migrations to apply!\n";
  }

  #object(args: readonly string[], input: string): string {
    const [, , verb, path = ""] = args;
    const { buckets, objects } = this.account;
    if (verb === "get") return objects[path] ?? refuse("The specified key does not exist.");
    if (!buckets.includes(path.split("/")[0]!)) {
      return refuse("The specified bucket does not exist.");
    }
    objects[path] = input;
    return `Creating object "${path}".\nUpload complete.\n`;
  }

  #bucket(args: readonly string[]): string {
    const name = args[3]!;
    if (this.account.buckets.includes(name)) {
      return refuse(
        "A request to the Cloudflare API (/accounts/0123/r2/buckets) failed.\n\n  The bucket you tried to create already exists, and you own it. [code: 10004]",
      );
    }
    this.account.buckets.push(name);
    return `Creating bucket '${name}'...\n✅ Created bucket '${name}' with default storage class of Standard.\n`;
  }

  #listQueues(args: readonly string[]): string {
    const from = 10 * (Number(args[args.indexOf("--page") + 1]) - 1);
    const page = this.account.queues.slice(from, from + 10);
    const line = (name: string, i: number) =>
      `│ ${String(from + i).padStart(32, "0")} │ ${name} │ 2026-11-24 │ 0 │ 0 │\n`;
    return page.map(line).join("");
  }

  #createQueue(name: string): string {
    if (this.account.queues.includes(name)) {
      return refuse(
        `A request to the Cloudflare API (/accounts/0123/queues) failed.\n\n  Queue name '${name}' is already taken. [code: 11009]`,
      );
    }
    this.account.queues.push(name);
    return `🌀 Creating queue '${name}'\n✅ Created queue '${name}'\n`;
  }

  #deployments(worker: string): string {
    if (!this.account.workers.includes(worker)) {
      return refuse(
        `A request to the Cloudflare API (/accounts/0123/workers/scripts/${worker}/deployments) failed.\n\n  This Worker does not exist on your account. [code: 10007]`,
      );
    }
    return json([{ id: "0123", versions: [{ version_id: "0123", percentage: 100 }] }]);
  }

  #listSecrets({ name }: Config): string {
    const names = this.account.secrets[name] ?? [];
    return json(names.map((one) => ({ name: one, type: "secret_text" })));
  }

  #setSecrets({ name }: Config, input: string): string {
    const set = Object.keys(JSON.parse(input));
    this.account.secrets[name] = [...new Set([...(this.account.secrets[name] ?? []), ...set])];
    const created = set.map((one) => `✨ Successfully created secret for key: ${one}`);
    return `🌀 Processing the secrets for the Worker "${name}"\n${created.join("\n")}\n\nFinished processing secrets file:\n✨ ${set.length} secrets successfully created\n`;
  }

  #deploy(args: readonly string[], outputFile: string): string {
    const { name, services = [], assets, workers_dev } = configOf(args);
    const { workers, pages } = this.account;
    for (const { service } of services) {
      if (workers.includes(service)) continue;
      return refuse(
        `Could not resolve service binding 'SITE'. Target script '${service}' not found. [code: 10144]`,
      );
    }
    if (!workers.includes(name)) workers.push(name);
    if (assets) {
      const index = join(folderOf(args), assets.directory, "index.html");
      pages[name] = [...(pages[name] ?? []), readFileSync(index, "utf8")];
    }
    const targets = workers_dev ? [this.#target] : [];
    const entry = { type: "deploy", version: 1, worker_name: name, targets };
    appendFileSync(outputFile, `${JSON.stringify(entry)}\n`);
    return `Uploaded ${name} (1.00 sec)\nCurrent Version ID: 0123\n`;
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const configPath = (args: readonly string[]): string => args[args.indexOf("--config") + 1]!;
const configOf = (args: readonly string[]) =>
  JSON.parse(readFileSync(configPath(args), "utf8")) as Config;
const folderOf = (args: readonly string[]): string => join(configPath(args), "..");

function refuse(message: string, stdout?: string): never {
  throw new Refusal(message, stdout);
}
