import { defaultModelTable } from "#shared/judges/default-models.ts";
import { BadInput } from "../errors.ts";
import { refuseForeignAddress } from "../remote/env-file.ts";
import { type SuiteJudge, simulatedJudges } from "./simulated-judges.ts";

/** `simulated`: keys of providers are ignored. */
const CHOICE_VARIABLE = "ASSAY_JUDGES";

/** Providers whose keys in the environment, or in `.env`, are used for judges. */
const providers = {
  openai: { keys: ["OPENAI_API_KEY"], address: "OPENAI_BASE_URL", path: "/v1" },
  anthropic: { keys: ["ANTHROPIC_API_KEY"], address: "ANTHROPIC_BASE_URL", path: "/v1" },
  google: {
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    address: "GOOGLE_GEMINI_BASE_URL",
    path: "/v1beta",
  },
} as const;
type ProviderName = keyof typeof providers;

/** Their own interfaces, which enforce schemas, also at other addresses. */
const protocols: Readonly<Record<ProviderName, object>> = {
  openai: { maxTokensParam: "max_completion_tokens" },
  anthropic: { protocol: "messages" },
  google: { protocol: "generate_content" },
};

const { facts, logic, continuity, tone } = defaultModelTable;
/** Judges for the metrics of other providers, the preferred first: it judges few metrics itself. */
const fallbacks = [logic, continuity, facts];

/** The judges of a service on this machine. */
export interface LocalJudges {
  /** The variable JUDGES, and the keys of judges. */
  vars: Record<string, string>;
  /** Whether judges cost money. */
  areReal: boolean;
}

/**
 * The judges of a service on this machine: those of the providers whose keys are in `env`, else simulated ones. The
 * metrics of a provider without a key have another's judge. Throws BadInput for an unknown choice, and for an address
 * from `.env` to which a key of the environment would be sent.
 */
export function localJudges(
  env: NodeJS.ProcessEnv,
  simulator: string,
  judges: readonly SuiteJudge[],
): LocalJudges {
  const simulated = simulatedJudges(simulator, judges);
  const choice = env[CHOICE_VARIABLE]?.trim() ?? "";
  if (choice !== "" && choice !== "simulated") {
    throw new BadInput(`${CHOICE_VARIABLE} must be simulated or empty, not "${choice}"`);
  }
  const keys = choice === "" ? keysIn(env) : new Map<ProviderName, string>();
  if (keys.size === 0) return { vars: { JUDGES: JSON.stringify(simulated) }, areReal: false };
  const has = ({ provider }: { provider: ProviderName }) => keys.has(provider);
  const { provider, model } = fallbacks.find(has)!;
  const fallback = `${provider}:${model}`;
  const stages = has(tone) ? {} : { text_emotion: fallback, personality: fallback };
  const settings = {
    providers: { ...simulated.providers, ...addressesIn(env, keys) },
    routes: stages,
    fallback,
    models: ["*"],
    prices: simulated.prices,
  };
  const secrets = [...keys].map(([name, key]) => [`JUDGE_KEY_${name.toUpperCase()}`, key]);
  return {
    vars: { JUDGES: JSON.stringify(settings), ...Object.fromEntries(secrets) },
    areReal: true,
  };
}

function keysIn(env: NodeJS.ProcessEnv): Map<ProviderName, string> {
  const names = Object.keys(providers) as ProviderName[];
  return new Map(
    names.flatMap((name) => {
      const { keys, address } = providers[name];
      const variable = keys.find((one) => env[one]?.trim());
      if (variable === undefined) return [];
      if (env[address]?.trim()) refuseForeignAddress(address, variable);
      return [[name, env[variable]?.trim() ?? ""] as const];
    }),
  );
}

/** Other addresses of the providers, with the path of their interface if they have none. */
function addressesIn(env: NodeJS.ProcessEnv, keys: ReadonlyMap<ProviderName, string>) {
  return Object.fromEntries(
    [...keys.keys()].flatMap((name) => {
      const { address, path } = providers[name];
      const given = env[address]?.trim() ?? "";
      if (given === "") return [];
      const url = URL.parse(given);
      if (url === null) throw new BadInput(`${address} must be an address, not "${given}"`);
      const baseUrl = url.pathname === "/" ? `${url.origin}${path}` : given.replace(/\/$/, "");
      return [[name, { baseUrl, ...protocols[name] }]];
    }),
  );
}
