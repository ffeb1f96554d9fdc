import { randomBytes } from "node:crypto";
import { z } from "zod";
import { BadInput } from "../bad-input.ts";
import { newSigningKey } from "../new-signing-key.ts";
import type { Questions } from "./questions.ts";
import { judgeSecrets, madeSecrets, SIGNING_SECRET, secretNames } from "./secret-names.ts";
import type { Wrangler } from "./wrangler-client.ts";

interface SecretTask {
  wrangler: Wrangler;
  config: string;
  questions: Questions;
  env: Readonly<Record<string, string | undefined>>;
  tell: (line: string) => void;
}

/** What is known of the secrets once all are set. */
interface SetSecrets {
  /** The operator's secret; null where the Worker has one that nobody gave. */
  operator: string | null;
  /** Whether the Worker knows whom to call when results change. */
  rebuilds: boolean;
}

const listSchema = z.array(z.object({ name: z.string() }));

/**
 * Sets what secrets the Worker lacks: those of the environment as they are, the two it can't be without made
 * of 32 random bytes, and shown, and the key that signs results, which is not. What it has already stays, but
 * for what the environment gives anew; these three are never replaced, since what was sealed with one could not
 * be opened any more, and what was signed would be by an unknown key. Throws BadInput.
 */
export async function ensureSecrets(task: SecretTask): Promise<SetSecrets> {
  const { wrangler, config, env } = task;
  const listed = await wrangler.run("Listing secrets", ["secret", "list", "--config", config]);
  const there = new Set(listSchema.parse(JSON.parse(listed)).map(({ name }) => name));
  const made = await madeOf(task, there);
  for (const [name, value] of made) await put(task, name, value);
  if (!there.has(SIGNING_SECRET)) {
    // A lost one is replaced, and its public half kept, so that nobody has to note it.
    await put(task, SIGNING_SECRET, env[SIGNING_SECRET] || newSigningKey());
  }
  for (const name of secretNames(env)) {
    if (!isMade(name) && env[name]) await put(task, name, env[name]);
  }
  for (const name of judgeSecrets) {
    if (there.has(name) || env[name] || !task.questions.isAttended) continue;
    const value = await task.questions.secret(`${name}, for judges (Enter: none):`);
    if (value !== "") await put(task, name, value);
  }
  return {
    operator: made.get("OPERATOR_SECRET") ?? (env["OPERATOR_SECRET"] || null),
    rebuilds: there.has("SITE_REBUILD_HOOK") || Boolean(env["SITE_REBUILD_HOOK"]),
  };
}

const isMade = (name: string): boolean =>
  [...madeSecrets, SIGNING_SECRET].some((made) => made === name);

/** Shown before they are set: one that nobody has seen would be lost. */
async function madeOf(
  { env, questions, tell }: SecretTask,
  there: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const missing = madeSecrets.filter((name) => !there.has(name));
  const made = new Map(missing.map((name) => [name, env[name] || randomSecret()]));
  const shown = missing.filter((name) => !env[name]);
  if (shown.length === 0) return made;
  if (!questions.isAttended) {
    throw new BadInput(
      `The Worker has no ${shown.join(" and no ")}, and there is nobody to show new ones to: set each in the environment to 32 random bytes, as openssl rand -hex 32 makes them.`,
    );
  }
  tell("\nKeep these where you keep passwords. They are shown this once:\n");
  for (const name of shown) tell(`  ${name.padEnd(15)} ${made.get(name)}`);
  tell("");
  return made;
}

const SECRET_BYTES = 32;

const randomSecret = (): string => randomBytes(SECRET_BYTES).toString("hex");

async function put(
  { wrangler, config, tell }: SecretTask,
  name: string,
  value: string,
): Promise<void> {
  await wrangler.run(`Setting ${name}`, ["secret", "put", name, "--config", config], value);
  tell(`  ${name} is set`);
}
