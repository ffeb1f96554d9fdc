import type { z } from "zod";
import type { InferenceSettings } from "#shared/contracts/submissions/inference-settings.ts";
import { providerOf } from "#shared/contracts/submissions/providers.ts";
import type {
  ConfigEndpoint,
  ConfigModel,
  RunConfig,
} from "#shared/contracts/submissions/run-config.ts";
import type { submittedModelSchema } from "#shared/contracts/submissions/submission.ts";
import { type Finding, failure, type KeyPath } from "./finding.ts";
import { type LocalTarget, relayAddress } from "./local-target.ts";
import { differIn } from "./suite-options.ts";

/** A secret: a variable, a text in the file, or a text in which `$NAME` refers to variables. */
export type Secret = { variable: string } | { text: string } | { template: string };

/** Secrets of an endpoint. */
export interface EndpointSecrets {
  /** Null: the endpoint needs no key. */
  apiKey: Secret | null;
  headers: Readonly<Record<string, Secret>>;
}

/** Secrets of a model's endpoint, or of the local endpoint and the `cloud` of a hybrid target. */
export interface ModelSecrets extends EndpointSecrets {
  cloud?: EndpointSecrets;
}

/** The endpoints of a model with their paths in it: one, or two for a hybrid target. */
export const endpointsOf = ({ hybrid, ...model }: ConfigModel): [KeyPath, ConfigEndpoint][] =>
  hybrid === undefined
    ? [[[], model]]
    : [
        [["hybrid", "local"], hybrid.local],
        [["hybrid", "cloud"], hybrid.cloud],
      ];

/** Whether the address of an endpoint is known. */
export const hasAddress = ({ base_url: url, provider }: ConfigEndpoint): boolean =>
  url !== undefined || (provider !== undefined && providerOf(provider).baseUrl !== undefined);

const ofEndpoints = [
  "base_url",
  "provider",
  "model",
  "protocol",
  "api_key",
  "api_key_env",
  "headers",
  "max_tokens_param",
  "runner",
] as const satisfies (keyof ConfigEndpoint)[];

/** Errors for secrets of an endpoint that a runner calls, because secrets stay with the runner. */
export const runnerProblems = (path: KeyPath, model: ConfigModel): Finding[] =>
  endpointsOf(model).flatMap(([place, { runner, api_key_env, api_key, headers }]) => {
    const surplus = Object.entries({ api_key_env, api_key, headers });
    const given = surplus.find(([, value]) => runner !== undefined && value !== undefined);
    const advice = "stays with the runner: start it with --api-key-env NAME, and remove it here";
    return given === undefined ? [] : [failure([...path, ...place, given[0]], advice)];
  });

/** Errors for keys that a hybrid target can't have. */
export function hybridProblems(config: RunConfig, path: KeyPath, model: ConfigModel): Finding[] {
  if (model.hybrid === undefined) return [];
  const surplus = ofEndpoints.find((key) => model[key] !== undefined);
  const settings = Object.keys(settingsIn(config, model) ?? {});
  return [
    ...(surplus === undefined
      ? []
      : [failure([...path, surplus], "write it in hybrid.local or hybrid.cloud")]),
    ...(settings.length === 0
      ? []
      : [failure(path, `a hybrid target takes no ${settings.join(", ")}: evaluate each endpoint`)]),
  ];
}

/**
 * A model of a submission, without the secrets of its endpoints. `target`: a program or interface instead of an
 * endpoint.
 */
export function submittedModel(
  config: RunConfig,
  given: ConfigModel,
  target: LocalTarget | null,
): z.input<typeof submittedModelSchema> {
  const { slug, url, license, parameters, quantization, prices, hybrid } = given;
  return {
    name: given.name,
    ...defined({ slug, url, license, parameters, quantization }),
    ...(prices && {
      prices: {
        inputPerMillion: prices.input_per_million,
        outputPerMillion: prices.output_per_million,
        ...defined({
          cachedPerMillion: prices.cached_per_million,
          audioPerMillion: prices.audio_per_million,
          reasoningPerMillion: prices.reasoning_per_million,
        }),
      },
    }),
    ...(hybrid === undefined
      ? { endpoint: submittedEndpoint(config, given, target) }
      : {
          hybrid: {
            local: sentEndpoint(given.name, hybrid.local),
            cloud: sentEndpoint(given.name, hybrid.cloud),
            ...defined({ confidenceThreshold: hybrid.confidence_threshold }),
          },
        }),
  };
}

function submittedEndpoint(config: RunConfig, given: ConfigModel, target: LocalTarget | null) {
  const settings = settingsIn(config, given);
  const { name, model = name, batches } = given;
  return target === null
    ? { ...sentEndpoint(name, given), ...defined({ batches, settings }) }
    : { ...relayOf(name, target), model, ...defined({ settings }) };
}

/** The relay endpoint of a local target: the service calls the command line. */
const relayOf = (name: string, target: LocalTarget) => ({
  baseUrl: relayAddress(name, target),
  protocol: "chat_completions" as const,
  relay: target.kind,
});

/** An endpoint without its secrets. */
function sentEndpoint(
  name: string,
  { model = name, provider, base_url: baseUrl, protocol, runner, ...more }: ConfigEndpoint,
) {
  const { max_tokens_param: maxTokensParam } = more;
  return { ...defined({ provider, baseUrl, protocol, maxTokensParam, runner }), model };
}

/** References to the secrets of a model. */
export const secretsOf = ({ hybrid, ...model }: ConfigModel): ModelSecrets =>
  hybrid === undefined
    ? endpointSecrets(model)
    : { ...endpointSecrets(hybrid.local), cloud: endpointSecrets(hybrid.cloud) };

/** References to the secrets of an endpoint. */
export const endpointSecrets = (given: ConfigEndpoint): EndpointSecrets => ({
  apiKey: keyOf(given),
  headers: Object.fromEntries(
    Object.entries(given.headers ?? {}).map(([name, template]) => [name, { template }]),
  ),
});

function keyOf({
  api_key_env: variable,
  api_key: text,
  provider,
  runner,
}: ConfigEndpoint): Secret | null {
  if (variable !== undefined) return { variable };
  if (text !== undefined) return { text };
  // The key stays with the runner.
  if (runner !== undefined) return null;
  const usual = provider === undefined ? null : providerOf(provider).keyVariable;
  return usual === null ? null : { variable: usual };
}

/** The inference settings of a model of a config; undefined without any. */
export function settingsIn(config: RunConfig, given: ConfigModel): InferenceSettings | undefined {
  const settings = defined({
    reasoningEffort: given.reasoning_effort,
    thinkingBudget: given.thinking_budget,
    topP: given.top_p,
    seed: given.seed,
    toolChoice: given.tool_choice,
    extraBody: given.extra_body,
    temperature: differIn(config, "temperature") ? given.temperature : undefined,
    maxTokens: differIn(config, "max_tokens") ? given.max_tokens : undefined,
  });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** An object without its undefined fields. */
const defined = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
