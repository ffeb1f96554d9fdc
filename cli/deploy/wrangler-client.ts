import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";
import { withoutSecrets } from "./secret-names.ts";

interface Refusal {
  /** Pattern in wrangler's output. */
  pattern: RegExp;
  advice: string;
}

/** Errors of Cloudflare with advice for the user. */
const refusals: readonly Refusal[] = [
  {
    pattern: /code: 10042\]|enable R2/i,
    advice:
      "R2 must be enabled once in Cloudflare's dashboard (R2 object storage), which requires a payment card even if nothing is charged. Then run the same command again.",
  },
  {
    pattern: /code: 100328\]/,
    advice: "The account is on the Free plan: run the same command with --plan free.",
  },
  {
    pattern: /workers\.dev subdomain/i,
    advice:
      "Choose the account's workers.dev subdomain once in Cloudflare's dashboard (Workers & Pages), or give --domain. Then run the same command again.",
  },
  {
    pattern: /code: (?:10000|9109)\]|Authentication error|Unable to authenticate/i,
    advice:
      "The login or API token may not do this. A token needs Edit on Workers Scripts, D1, Workers R2 Storage and Queues, and Read on Account Settings.",
  },
  {
    pattern: /maximum number of D1 databases|code: 7406\]/i,
    advice: "The account has no room for another D1 database: delete one, or upgrade its plan.",
  },
];

/** The outcome of a call of wrangler. */
interface WranglerReply {
  ok: boolean;
  stdout: string;
  /** Both streams, without colours. */
  text: string;
}

/** Calls wrangler with arguments, standard input and an environment. */
export type CallWrangler = (
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
) => Promise<WranglerReply>;

/** Wrangler, as a deployment calls it. */
export interface Wrangler {
  /** Throws BadInput with wrangler's message. `what`: the task, for the message. */
  run(what: string, args: readonly string[], input?: string): Promise<string>;
  /** Like `run`; null if wrangler refuses with `expected`. */
  ask(what: string, args: readonly string[], expected: RegExp): Promise<string | null>;
  /** Deploys with a config; returns the addresses of the deployment. */
  deploy(what: string, args: readonly string[]): Promise<string[]>;
}

/** `account`: the account of the resources; null if wrangler knows it. */
export const wranglerClient =
  (callWrangler: CallWrangler) =>
  (account: string | null): Wrangler => {
    const run = async (what: string, args: readonly string[], input = "", more = {}) => {
      const reply = await callWrangler(args, input, { ...environment(account), ...more });
      if (!reply.ok) throw refused(what, args, reply);
      return reply.stdout;
    };
    return {
      run,
      ask: async (what, args, expected) => {
        const reply = await callWrangler(args, "", environment(account));
        if (!reply.ok && !expected.test(reply.text)) throw refused(what, args, reply);
        return reply.ok ? reply.stdout : null;
      },
      deploy: async (what, args) => {
        const folder = mkdtempSync(join(tmpdir(), "assay-deploy-"));
        const file = join(folder, "output.ndjson");
        try {
          await run(what, ["deploy", ...args], "", { WRANGLER_OUTPUT_FILE_PATH: file });
          return targetsOf(file);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  };

/** Starts the first wrangler on PATH. */
export const spawnWrangler: CallWrangler = (args, input, env) =>
  new Promise((resolve, reject) => {
    const child = spawn("wrangler", args, { cwd: root, env, stdio: ["pipe", "pipe", "pipe"] });
    let [stdout, all] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      all += chunk;
    });
    child.stderr.on("data", (chunk) => {
      all += chunk;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) =>
      reject(new BadInput(`wrangler could not be started: ${error.message}.`)),
    );
    child.on("close", (code) =>
      resolve({ ok: code === 0, stdout, text: stripVTControlCharacters(all).trim() }),
    );
  });

/** The environment for wrangler, without secrets: wrangler reads them from standard input. */
function environment(account: string | null): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...withoutSecrets(process.env),
    WRANGLER_SEND_METRICS: "false",
    NO_COLOR: "1",
    // With the banner, each call also asks the registry for a newer wrangler.
    WRANGLER_HIDE_BANNER: "true",
  };
  delete env["FORCE_COLOR"];
  if (account !== null) env["CLOUDFLARE_ACCOUNT_ID"] = account;
  return env;
}

function refused(what: string, args: readonly string[], { text }: WranglerReply): BadInput {
  const reason = reasonOf(text);
  const advice = adviceOn(text);
  const command = `wrangler ${args.filter((arg) => !arg.startsWith("/")).join(" ")}`;
  const lines = [`${what} failed.`, ...reason.map((line) => `  ${line}`)];
  return new BadInput([...lines, advice ?? `Command: ${command}`].join("\n"));
}

/** The output of a failed call, from its error on. */
function reasonOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const from = lines.findIndex((line) => line.includes("[ERROR]"));
  const shown = (from < 0 ? lines.slice(-6) : lines.slice(from, from + 8))
    .map((line) => line.replace(/^\S*\s*\[ERROR\]\s*/, ""))
    .filter((line) => line !== "" && !line.startsWith("🪵"));
  return shown.length > 0 ? shown : ["wrangler printed nothing"];
}

/** Advice on a known error; null for any other. */
const adviceOn = (text: string): string | null =>
  refusals.find(({ pattern }) => pattern.test(text))?.advice ?? null;

/** JSON lines that wrangler writes to a file, separate from its output. */
function targetsOf(file: string): string[] {
  const entries = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] });
  return entries.findLast(({ type }) => type === "deploy")?.targets ?? [];
}
