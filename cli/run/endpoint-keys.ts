import { namedWith } from "#shared/contracts/submissions/inference-settings.ts";
import type { Plan, SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import type { RelayAccess } from "../programs/relay.ts";
import { isUnencrypted, KEY_VARIABLE } from "../remote/service-access.ts";

/** Keys of the service itself, which must not be sent to the endpoint of a config. */
export const serviceKeys: ReadonlySet<string> = new Set([KEY_VARIABLE, "OPERATOR_SECRET"]);

/** Keys of endpoints, which are never printed. */
export interface EndpointKeys {
  all: readonly string[];
  /** By the name of a model's run; undefined if its endpoint needs none. */
  of(model: string): string | undefined;
  /** The port at which a service finds what this machine asks; missing: nothing. */
  relayPort?: number;
}

/** The name of a model's run, with its settings: a file may name a model several times. */
const runName = ({ name, endpoint }: SubmissionInput["models"][number]): string =>
  namedWith(name, endpoint?.settings);

/** The keys of a plan's endpoints, with that of the relay if there is one. Throws BadInput if a variable is not set. */
export function endpointKeys(
  { request, keyVariables }: Pick<Plan, "request" | "keyVariables">,
  env: NodeJS.ProcessEnv,
  relay: RelayAccess | null = null,
): EndpointKeys {
  const keys = new Map<string, string>();
  for (const [i, model] of request.models.entries()) {
    const variable = keyVariables[i] ?? null;
    if (variable !== null) keys.set(runName(model), keyIn(variable, env, model.name));
    if (relay !== null && model.endpoint?.relay) keys.set(runName(model), relay.token);
  }
  const all = [...keys.values()];
  return { all, of: (model) => keys.get(model), ...(relay && { relayPort: relay.port }) };
}

function keyIn(variable: string, env: NodeJS.ProcessEnv, what: string): string {
  if (serviceKeys.has(variable)) {
    throw new BadInput(
      `${what}: ${variable} is the key of the service and is never sent to an endpoint`,
    );
  }
  const key = env[variable]?.trim();
  if (key) return key;
  // The name is not printed, because it may be the key itself.
  const problem =
    "the environment variable for its key is not set, neither in the environment nor in .env";
  throw new BadInput(`${what}: ${problem}`);
}

/** One key for all endpoints, from the variable of a flag; none without it. Throws BadInput. */
export function sharedKey(variable: string | undefined, env: NodeJS.ProcessEnv): EndpointKeys {
  if (variable === undefined) return { all: [], of: () => undefined };
  const key = keyIn(variable, env, "--api-key-env");
  return { all: [key], of: () => key };
}

/** A request with the keys of its endpoints. */
export function withEndpointKeys(request: SubmissionInput, keys: EndpointKeys): SubmissionInput {
  const models = request.models.map((model) => {
    const apiKey = keys.of(runName(model));
    if (apiKey === undefined || model.endpoint === undefined) return model;
    const { baseUrl, relay } = model.endpoint;
    const address = relay && { baseUrl: baseUrl?.replace("//127.0.0.1", `$&:${keys.relayPort}`) };
    return { ...model, endpoint: { ...model.endpoint, ...address, apiKey } };
  });
  return { ...request, models };
}

/** Throws BadInput if keys could be read in transit to a service. */
export function refuseUnencrypted(origin: string, { all }: EndpointKeys): void {
  if (all.length === 0 || !isUnencrypted(origin)) return;
  const advice = "give the service's address with https";
  throw new BadInput(`the endpoint's key could be read in transit to ${origin}: ${advice}`);
}

/** Runs a task and removes keys from its error messages. */
export async function withoutKeys<T>(keys: EndpointKeys, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      for (const key of keys.all) error.message = error.message.replaceAll(key, "…");
    }
    throw error;
  }
}
