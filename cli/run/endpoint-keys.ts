import { namedWith } from "#shared/contracts/submissions/inference-settings.ts";
import { providerNames, providerOf } from "#shared/contracts/submissions/providers.ts";
import { redactor } from "#shared/protocols/redact.ts";
import type { EndpointSecrets, ModelSecrets, Secret } from "../config/endpoints.ts";
import type { Plan, SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import { isUnencrypted, KEY_VARIABLE } from "../remote/service-access.ts";
import type { RelayAccess } from "./programs/relay.ts";

/** Keys of the service itself, which must not be sent to the endpoint of a config. */
export const serviceKeys: ReadonlySet<string> = new Set([KEY_VARIABLE, "OPERATOR_SECRET"]);

/** The secrets of an endpoint in the format of a submission. */
interface SentSecrets {
  apiKey?: string;
  headers?: Record<string, string>;
}

/** Keys and headers of endpoints, which are never printed. */
export interface EndpointKeys {
  all: readonly string[];
  /** Secrets by run name; `cloud`: for the second endpoint of a hybrid target. */
  secretsOf(model: string): SentSecrets & { cloud?: SentSecrets };
  /** The port of the relay for local targets; missing without local targets. */
  relayPort?: number;
}

/** A unique name of a model with its settings, since a file may name a model several times. */
const runName = ({ name, endpoint }: SubmissionInput["models"][number]): string =>
  namedWith(name, endpoint?.settings);

/** The keys of a plan's endpoints and its relay, if any. Throws BadInput if a variable is not set. */
export function endpointKeys(
  { request, secrets }: Pick<Plan, "request" | "secrets">,
  env: NodeJS.ProcessEnv,
  relay: RelayAccess | null = null,
): EndpointKeys {
  const known = new Map<string, ReturnType<EndpointKeys["secretsOf"]>>();
  for (const [i, model] of request.models.entries()) {
    const ofRelay = relay &&
      model.endpoint?.relay && { apiKey: { text: relay.token }, headers: {} };
    const ours: ModelSecrets | undefined = ofRelay || secrets[i];
    if (ours === undefined) continue;
    const cloud = ours.cloud && sentSecrets(ours.cloud, env, model.name);
    const sent = { ...sentSecrets(ours, env, model.name), ...(cloud && { cloud }) };
    known.set(runName(model), sent);
  }
  const ofAll = [...known.values()].flatMap((one) => [one, one.cloud ?? {}]);
  return {
    all: ofAll.flatMap(({ apiKey, headers = {} }) => [apiKey ?? [], Object.values(headers)].flat()),
    secretsOf: (model) => known.get(model) ?? {},
    ...(relay && { relayPort: relay.port }),
  };
}

/** The secrets of an endpoint from the file and the environment. Throws BadInput if a variable is not set. */
export function sentSecrets(
  { apiKey, headers }: EndpointSecrets,
  env: NodeJS.ProcessEnv,
  what: string,
): SentSecrets {
  const sent = Object.entries(headers).map(([name, secret]) => [
    name,
    textOf(secret, env, `${what}, header ${name}`),
  ]);
  return {
    ...(apiKey !== null && { apiKey: textOf(apiKey, env, what) }),
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
  };
}

function textOf(secret: Secret, env: NodeJS.ProcessEnv, what: string): string {
  if ("variable" in secret) return keyIn(secret.variable, env, what);
  if ("text" in secret) return secret.text;
  return secret.template.replace(
    /\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))/g,
    (_, braced?: string, bare?: string) => keyIn(braced ?? bare ?? "", env, what),
  );
}

function keyIn(variable: string, env: NodeJS.ProcessEnv, what: string): string {
  if (serviceKeys.has(variable)) {
    throw new BadInput(
      `${what}: ${variable} is the key of the service and is never sent to an endpoint`,
    );
  }
  const key = env[variable]?.trim();
  if (key) return key;
  // The name from the user is not printed, because it may be the key itself.
  const isKnown = providerNames.some((name) => providerOf(name).keyVariable === variable);
  const name = isKnown ? variable : "the environment variable for its key";
  const problem = `${name} is not set, neither in the environment nor in .env`;
  throw new BadInput(`${what}: ${problem}`);
}

/** One key for all endpoints, from the variable in a flag; no key without the flag. Throws BadInput. */
export function sharedKey(variable: string | undefined, env: NodeJS.ProcessEnv): EndpointKeys {
  if (variable === undefined) return { all: [], secretsOf: () => ({}) };
  const apiKey = keyIn(variable, env, "--api-key-env");
  return { all: [apiKey], secretsOf: () => ({ apiKey }) };
}

/** A request with the secrets of its endpoints. */
export function withEndpointKeys(request: SubmissionInput, keys: EndpointKeys): SubmissionInput {
  const models = request.models.map((model) => {
    const { cloud = {}, ...own } = keys.secretsOf(runName(model));
    const { endpoint, hybrid } = model;
    return {
      ...model,
      ...(endpoint && { endpoint: { ...endpoint, ...addressOf(endpoint, keys), ...own } }),
      ...(hybrid && {
        hybrid: {
          ...hybrid,
          local: { ...hybrid.local, ...own },
          cloud: { ...hybrid.cloud, ...cloud },
        },
      }),
    };
  });
  return { ...request, models };
}

/** The address of a local target with the relay's port. */
const addressOf = (
  { baseUrl, relay }: NonNullable<SubmissionInput["models"][number]["endpoint"]>,
  { relayPort }: EndpointKeys,
) =>
  relay && relayPort !== undefined
    ? { baseUrl: baseUrl?.replace("//127.0.0.1", `$&:${relayPort}`) }
    : {};

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
      error.message = redactor(keys.all)(error.message);
      for (const key of keys.all) error.message = error.message.replaceAll(key, "[redacted]");
    }
    throw error;
  }
}
