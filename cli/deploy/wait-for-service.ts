import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { BadInput } from "../errors.ts";

/** Maximum wait, and time between checks. */
interface Patience {
  withinMs: number;
  everyMs: number;
}

/** A new workers.dev address takes up to a few minutes to resolve everywhere. */
const forAddress: Patience = { withinMs: 180_000, everyMs: 2_000 };

/** A new secret takes seconds. Checks are rare, because a key is locked out after ten refusals per minute. */
const forSecret: Patience = { withinMs: 60_000, everyMs: 8_000 };

/** Resolves when the service answers at its address. Throws BadInput if it does not in time. */
export async function waitForService(origin: string, patience = forAddress): Promise<void> {
  const isUp = await came(patience, async () => (await ask(`${origin}/healthz`))?.ok === true);
  if (isUp) return;
  throw new BadInput(
    `${origin} does not answer yet. A new address can take some minutes: run the same command again, it continues from there.`,
  );
}

async function came({ withinMs, everyMs }: Patience, look: () => Promise<boolean>) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (await look()) return true;
    if (Date.now() + everyMs > deadline) return false;
    await setTimeout(everyMs);
  }
}

async function ask(url: string, init: RequestInit = {}): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(10_000) });
  } catch {
    return null;
  }
}

/** The revision that a service states; null if none. Throws BadInput if it does not answer. */
export async function deployedRevision(origin: string): Promise<string | null> {
  const response = await ask(`${origin}/healthz`);
  const health = z
    .object({ codeRevision: z.string().max(200).nullish() })
    .safeParse(response?.ok ? await response.json().catch(() => null) : null);
  if (health.success) return health.data.codeRevision ?? null;
  throw new BadInput(`${origin}/healthz is not a service of Assay: check --origin.`);
}

/** Resolves when the service knows the operator's secret. Throws BadInput if it does not in time. */
export async function waitForOperator(
  origin: string,
  secret: string,
  patience = forSecret,
): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` };
  const isKnown = await came(
    patience,
    async () => (await ask(`${origin}/v1/keys`, { headers }))?.ok === true,
  );
  if (isKnown) return;
  throw new BadInput(
    `${origin} rejects this OPERATOR_SECRET. Use the one that was set, or set a new one: npx wrangler secret put OPERATOR_SECRET --config .deploy/NAME/api.json.`,
  );
}
