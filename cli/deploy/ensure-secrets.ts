import { randomBytes } from "node:crypto";
import { z } from "zod";
import { hasUserInfo } from "#shared/contracts/text/web-address.ts";
import { BadInput } from "../errors.ts";
import { newSigningKey } from "../local/wrangler.ts";
import type { Questions } from "./questions.ts";
import {
  createdSecrets,
  gitHubSecrets,
  judgeSecrets,
  SIGNING_SECRET,
  secretNames,
} from "./secret-names.ts";
import type { Wrangler } from "./wrangler-client.ts";

const SECRET_BYTES = 32;
const neverReplaced: readonly string[] = [...createdSecrets, SIGNING_SECRET];

const listSchema = z.array(z.object({ name: z.string() }));

type Secret = readonly [name: string, value: string];

interface RebuildTask {
  wrangler: Wrangler;
  config: string;
  questions: Questions;
  print: (line: string) => void;
}

interface SecretTask extends RebuildTask {
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Sets the missing secrets of the Worker. Secrets in the environment are set unchanged. The two required secrets are
 * created from 32 random bytes and shown once; the key that signs results is created and not shown. Existing
 * secrets stay unless the environment has a new value. These three are never replaced: data encrypted with the old
 * key could not be decrypted, and old signatures could not be checked. Returns the operator's secret, null if the
 * Worker has an unknown one, and whether the Worker has a hook to call when results change. Throws BadInput.
 */
export async function ensureSecrets(task: SecretTask) {
  const { wrangler, config, env, questions } = task;
  const listed = await wrangler.run("Listing secrets", ["secret", "list", "--config", config]);
  const existing = new Set(listSchema.parse(JSON.parse(listed)).map(({ name }) => name));
  const asked: Secret[] = [];
  const isWanted = (name: string) => !existing.has(name) && !env[name] && questions.isAttended;
  for (const name of judgeSecrets.filter(isWanted)) {
    asked.push([name, await questions.secret(`${name}, for judges (Enter: none):`)]);
  }
  for (const name of gitHubSecrets.filter(isWanted)) {
    const value = await questions.secret(`${name}, for sign-in with GitHub (Enter: none):`);
    if (value === "") break;
    asked.push([name, value]);
  }
  const created = createMissing(task, existing);
  const given = secretNames(env).filter((name) => !neverReplaced.includes(name));
  await put(task, [
    ...created,
    // Nobody has to write it down: a lost key is replaced, and public keys are stored.
    [SIGNING_SECRET, existing.has(SIGNING_SECRET) ? "" : env[SIGNING_SECRET] || newSigningKey()],
    ...given.map((name): Secret => [name, env[name] ?? ""]),
    ...asked,
  ]);
  return {
    operator: created.get("OPERATOR_SECRET") ?? (env["OPERATOR_SECRET"] || null),
    rebuilds: existing.has("SITE_REBUILD_HOOK") || Boolean(env["SITE_REBUILD_HOOK"]),
  };
}

/** Creates the secrets that neither the Worker nor the environment has. They are shown before they are set. */
function createMissing(
  { env, questions, print }: SecretTask,
  existing: ReadonlySet<string>,
): Map<string, string> {
  const missing = createdSecrets.filter((name) => !existing.has(name));
  const created = new Map(missing.map((name) => [name, env[name] || randomSecret()]));
  const shown = missing.filter((name) => !env[name]);
  if (shown.length === 0) return created;
  if (!questions.isAttended) {
    throw new BadInput(
      `The Worker has no ${shown.join(" and no ")}, and new ones cannot be shown without a terminal: set each in the environment to 32 random bytes, such as the output of openssl rand -hex 32.`,
    );
  }
  print("\nStore these like passwords. They are shown only once:\n");
  for (const name of shown) print(`  ${name.padEnd(15)} ${created.get(name)}`);
  print("");
  return created;
}

const randomSecret = (): string => randomBytes(SECRET_BYTES).toString("hex");

/** Sets all non-empty secrets in one call, as JSON on standard input. */
async function put(
  { wrangler, config, print }: RebuildTask,
  secrets: readonly Secret[],
): Promise<void> {
  const trimmed = secrets.map(([name, value]) => [name, value.trimEnd()] as const);
  const set = Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
  const names = Object.keys(set);
  if (names.length === 0) return;
  const bulk = ["secret", "bulk", "--config", config];
  await wrangler.run(`Setting ${names.join(", ")}`, bulk, JSON.stringify(set));
  for (const name of names) print(`  ${name} is set`);
}

/** Asks how the site is rebuilt when results change. False if it was postponed. */
export async function configureRebuilds(task: RebuildTask): Promise<boolean> {
  const { questions, print } = task;
  const way = await questions.choice("How is the site rebuilt when results change?", [
    "By hand, for now: npm run deploy -- --site-only",
    "A workflow of this project on GitHub (.github/workflows/site.yml)",
    "A deploy hook: an address that starts a build, such as one of Workers Builds",
  ]);
  if (way === 0) return false;
  if (way === 1) {
    const repository = await questions.text("The repository, as owner/name:", "");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
      throw new BadInput(`"${repository}" is not a repository: write it as owner/name.`);
    }
    const token = await questions.secret(
      "A token that may write its contents (fine-grained: Contents, read and write):",
    );
    if (token === "") throw new BadInput("GitHub requires a token for a dispatch.");
    await put(task, [
      ["SITE_REBUILD_TOKEN", token],
      ["SITE_REBUILD_HOOK", `https://api.github.com/repos/${repository}/dispatches`],
    ]);
    return true;
  }
  const hook = await questions.secret("The deploy hook's address, https://…:");
  // The message does not quote the hook, because anyone who knows it can start builds.
  if (!URL.canParse(hook) || new URL(hook).protocol !== "https:") {
    throw new BadInput("The address must begin with https.");
  }
  if (hasUserInfo(hook)) {
    throw new BadInput("The address must not contain a user name or password.");
  }
  await put(task, [["SITE_REBUILD_HOOK", hook]]);
  print("  The site is rebuilt at most once an hour (REBUILD_INTERVAL_MS)");
  return true;
}
