import { randomBytes } from "node:crypto";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
import type { LocalTarget } from "../../config/local-target.ts";
import { type Plan, variantsOf } from "../../config/plan.ts";
import { onStop } from "../../files/on-termination.ts";
import { type EndpointKeys, endpointKeys, serviceKeys } from "../endpoint-keys.ts";
import { askedHash, type RunNote } from "../run-notes.ts";
import type { Answerer } from "./asked-line.ts";
import { httpTarget } from "./http-target.ts";
import { ProgramPool } from "./program-pool.ts";
import { type RelayAccess, startRelay } from "./relay.ts";
import { secretsIn } from "./target-failure.ts";

/** Options of a run that a relay needs, with the service's defaults. */
const neededOptions = runOptionsSchema.pick({ concurrency: true, timeoutMs: true });
const TOKEN_BYTES = 32;

/** The programs and HTTP interfaces of a run, called by a local service. */
export interface RunTargets {
  /** Needed to continue the run. */
  note: NonNullable<RunNote["relay"]>;
  /** Keys including the addresses and the token of the targets. */
  keys: EndpointKeys;
  stop(): Promise<void>;
}

interface TargetsOptions {
  /** Working folder of programs. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Relay of the run to continue; null for a new run. */
  access: RelayAccess | null;
  /** Whether nothing is submitted, so that no program is started. */
  isDry: boolean;
}

/** Starts the local targets of a plan; null if it only has endpoints. Throws BadInput. */
export async function startTargets(
  plan: Plan,
  { folder, env, access, isDry }: TargetsOptions,
): Promise<RunTargets | null> {
  if (plan.targets.every((one) => one === null)) return null;
  const { options = {} } = plan.request;
  const { concurrency, timeoutMs } = neededOptions.parse(options);
  const atOnce = concurrency * variantsOf(options);
  const answerers = new Map<string, Answerer>();
  for (const [i, { name, endpoint }] of plan.request.models.entries()) {
    const target = plan.targets[i] ?? null;
    if (target === null) continue;
    answerers.set(routeOf(endpoint?.baseUrl), answererOf(name, target, { folder, env, atOnce }));
  }
  const pools = [...answerers.values()].filter((one) => one instanceof ProgramPool);
  const token = access?.token ?? randomBytes(TOKEN_BYTES).toString("hex");
  const relay = await startRelay(answerers, { port: access?.port ?? 0, token }, timeoutMs);
  const stop = async () => {
    await relay.close();
    await Promise.all(pools.map((pool) => pool.stop()));
  };
  // Requests are postponed first, because the end of a killed program would fail its samples.
  const release = onStop(async () => {
    relay.postpone();
    for (const pool of pools) pool.kill();
  });
  try {
    if (!isDry) for (const pool of pools) await pool.start();
  } catch (error) {
    release();
    await stop();
    throw error;
  }
  const opened = { port: relay.port, token };
  return {
    note: { ...opened, asked: askedHash(plan) },
    keys: endpointKeys(plan, env, opened),
    async stop() {
      await stop();
      release();
    },
  };
}

/** The name of a target in its address. */
const routeOf = (address = ""): string => new URL(address).pathname.split("/")[1] ?? "";

function answererOf(
  name: string,
  target: LocalTarget,
  { folder, env, atOnce }: { folder: string; env: NodeJS.ProcessEnv; atOnce: number },
): Answerer {
  if (target.kind === "http") return httpTarget(name, target.template, env);
  const { command, processes = null } = target;
  const own = Object.entries(env).filter(([variable]) => !serviceKeys.has(variable));
  const spec = {
    command,
    folder,
    // Python buffers output to a pipe by default.
    env: { PYTHONUNBUFFERED: "1", ...Object.fromEntries(own) },
    secrets: secretsIn(env),
  };
  const count = Math.min(processes ?? atOnce, atOnce);
  return new ProgramPool(spec, { processes: count, linesEach: Math.ceil(atOnce / count) });
}
