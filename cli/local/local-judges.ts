import { providerOf } from "#shared/contracts/submissions/providers.ts";
import { defaultModelTable } from "#shared/judges/default-models.ts";
import { BadInput } from "../errors.ts";
import { refuseForeignAddress } from "../remote/env-file.ts";

/** Environment variable; with the value `simulated`, provider keys are ignored. */
const CHOICE_VARIABLE = "ASSAY_JUDGES";

/** Providers of default judges, with the variables for another base URL. */
const addresses = {
  openai: "OPENAI_BASE_URL",
  anthropic: "ANTHROPIC_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
} as const;
type ProviderName = keyof typeof addresses;

const { facts, logic, continuity, tone } = defaultModelTable;
/**
 * Judges that replace those of providers without a key. The first is preferred, because it judges few metrics itself.
 */
const fallbacks = [logic, continuity, facts];

export type LocalJudges = ReturnType<typeof localJudges>;

/**
 * The judges of a local service: judges of the providers whose keys are in `env`, otherwise simulated judges. The
 * metrics of a provider without a key get another provider's judge. `vars`: the variable JUDGES and the keys;
 * `areReal`: they cost money. Throws BadInput for an unknown choice, and for an address from `.env` to which a key of
 * the environment would be sent.
 */
export function localJudges(
  env: NodeJS.ProcessEnv,
  simulator: string,
  judges: readonly SuiteJudge[],
) {
  const simulated = simulatedJudges(simulator, judges);
  const choice = env[CHOICE_VARIABLE]?.trim() ?? "";
  if (choice !== "" && choice !== "simulated") {
    throw new BadInput(`${CHOICE_VARIABLE} must be simulated or empty, not "${choice}"`);
  }
  const names = Object.keys(addresses) as ProviderName[];
  const keyOf = (name: ProviderName) => env[providerOf(name).keyVariable ?? ""]?.trim() ?? "";
  const has = ({ provider }: { provider: ProviderName }) => keyOf(provider) !== "";
  const first = fallbacks.find(has);
  if (choice === "simulated" || first === undefined) {
    return { vars: { JUDGES: JSON.stringify(simulated) }, areReal: false };
  }
  const fallback = `${first.provider}:${first.model}`;
  const offered = names.filter((provider) => has({ provider }));
  const settings = {
    providers: { ...simulated.providers, ...Object.fromEntries(offered.flatMap(addressIn(env))) },
    routes: has(tone) ? {} : { text_emotion: fallback, personality: fallback },
    fallback,
    models: ["*"],
    prices: simulated.prices,
  };
  const keys = offered.map((name) => [`JUDGE_KEY_${name.toUpperCase()}`, keyOf(name)]);
  const secrets: Record<string, string> = Object.fromEntries(keys);
  return { vars: { ...secrets, JUDGES: JSON.stringify(settings) }, areReal: true };
}

/** Another base URL of a provider with the same API; without a path, the usual path is added. */
const addressIn = (env: NodeJS.ProcessEnv) => (name: ProviderName) => {
  const variable = addresses[name];
  const given = env[variable]?.trim() ?? "";
  if (given === "") return [];
  const { keyVariable, baseUrl: usual = "", ...how } = providerOf(name);
  refuseForeignAddress(variable, keyVariable ?? "");
  const url = URL.parse(given);
  if (url === null) throw new BadInput(`${variable} must be an address, not "${given}"`);
  if (url.pathname === "/") url.pathname = new URL(usual).pathname;
  return [[name, { ...how, baseUrl: url.href.replace(/\/$/, "") }] as const];
};

const models = ["sim-judge-a", "sim-judge-b", "sim-judge-c"];

const stages = {
  text_emotion: "simulated:sim-judge-a",
  personality: "simulated:sim-judge-a",
  speech_emotion: "simulated:sim-audio",
  text_to_speech: "simulated:sim-speech",
};

const price = { inputPerMillion: 0, outputPerMillion: 0 };

/** The part of a suite's judge that determines its model. */
export interface SuiteJudge {
  id: string;
  kind: string;
}

/**
 * Simulated judges of a local service: the metrics of suites are distributed over several models,
 * as in a real deployment. Runs may name any other judge, such as one of a provider whose key is in
 * `.assay/secrets.env`. They cost nothing.
 */
export function simulatedJudges(baseUrl: string, judges: readonly SuiteJudge[]) {
  const routes = judges.map(({ id, kind }, i) => {
    const model = kind === "embeddings" ? "sim-embedding" : models[i % models.length];
    return [id, `simulated:${model}`];
  });
  return {
    providers: { simulated: { baseUrl, keyless: true, simulated: true, batches: "openai" } },
    routes: { ...Object.fromEntries(routes), ...stages },
    models: ["*"],
    concurrency: 200,
    prices: Object.fromEntries([...models, "sim-embedding"].map((model) => [model, price])),
  };
}
