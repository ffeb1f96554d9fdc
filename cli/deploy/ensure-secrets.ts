import { randomBytes } from "node:crypto";
import { z } from "zod";
import { BadInput } from "../errors.ts";
import { newSigningKey } from "../local/new-signing-key.ts";
import type { Questions } from "./questions.ts";
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
      `The Worker has no ${shown.join(" and no ")}, and without a terminal new ones cannot be shown: set each in the environment to 32 random bytes, such as the output of openssl rand -hex 32.`,
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

/** Secrets that are made where none is there, of 32 random bytes. */
const madeSecrets = ["SECRETS_KEY", "OPERATOR_SECRET"] as const;

/** The private key that signs results: made where none is there, and shown to nobody. */
const SIGNING_SECRET = "SIGNING_KEY";

/** Of the judges' providers that need no other setting; any other is `JUDGE_KEY_<PROVIDER>`. */
const judgeSecrets = ["JUDGE_KEY_OPENAI", "JUDGE_KEY_ANTHROPIC", "JUDGE_KEY_GOOGLE"] as const;

const others: readonly string[] = [
  "SECRETS_KEY_PREVIOUS",
  "SITE_REBUILD_HOOK",
  "SITE_REBUILD_TOKEN",
];

/** Secrets of a deployment that an environment holds. */
export const secretNames = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).filter(
    (name) =>
      /^JUDGE_KEY_[A-Z0-9_]+$/.test(name) ||
      others.includes(name) ||
      name === SIGNING_SECRET ||
      (madeSecrets as readonly string[]).includes(name),
  );
