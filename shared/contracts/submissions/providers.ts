/** Available in every runtime. */
declare const URL: new (address: string) => { host: string; hostname: string; pathname: string };

/** Supported interfaces of model providers, by the providers' names. */
export const protocols = ["chat_completions", "responses", "messages", "generate_content"] as const;
export type ProtocolName = (typeof protocols)[number];

/** Batch interfaces: the provider answers requests within a day at half the price. */
export const batchInterfaces = ["openai", "anthropic", "gemini", "mistral"] as const;
export type BatchInterface = (typeof batchInterfaces)[number];

/** The interfaces whose requests a batch can contain. */
const batchedProtocols: Readonly<Record<BatchInterface, readonly ProtocolName[]>> = {
  openai: ["responses", "chat_completions"],
  anthropic: ["messages"],
  gemini: ["generate_content"],
  mistral: ["chat_completions"],
};

/** Batch price as a share of the live price, at all four providers. */
export const BATCH_PRICE_RATIO = 0.5;

/** Facts about a provider. */
interface Provider {
  /** Missing: every customer has a different address. */
  baseUrl?: string;
  /** Environment variable that conventionally holds the key; null: none is needed. */
  keyVariable: string | null;
  /** By default Chat Completions. */
  protocol?: ProtocolName;
  /** By default `max_tokens`. */
  maxTokensParam?: "max_completion_tokens";
}

/**
 * Providers that a submission can name instead of an address.
 * Source: the providers' documentation, as of 2026-11-23.
 */
const providers = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    maxTokensParam: "max_completion_tokens",
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    protocol: "messages",
  },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    protocol: "generate_content",
  },
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", keyVariable: "OPENROUTER_API_KEY" },
  groq: { baseUrl: "https://api.groq.com/openai/v1", keyVariable: "GROQ_API_KEY" },
  together: { baseUrl: "https://api.together.ai/v1", keyVariable: "TOGETHER_API_KEY" },
  mistral: { baseUrl: "https://api.mistral.ai/v1", keyVariable: "MISTRAL_API_KEY" },
  deepseek: { baseUrl: "https://api.deepseek.com", keyVariable: "DEEPSEEK_API_KEY" },
  xai: { baseUrl: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY" },
  huggingface: { baseUrl: "https://router.huggingface.co/v1", keyVariable: "HF_TOKEN" },
  azure: { keyVariable: "AZURE_OPENAI_API_KEY", maxTokensParam: "max_completion_tokens" },
  ollama: { baseUrl: "http://localhost:11434/v1", keyVariable: null },
  lmstudio: { baseUrl: "http://localhost:1234/v1", keyVariable: null },
  vllm: { baseUrl: "http://localhost:8000/v1", keyVariable: "VLLM_API_KEY" },
} as const satisfies Record<string, Provider>;
export type ProviderName = keyof typeof providers;
export const providerNames = Object.keys(providers) as ProviderName[];

/**
 * Facts about a provider.
 * @example providerOf("groq").keyVariable // "GROQ_API_KEY"
 */
export const providerOf = (name: ProviderName): Provider => providers[name];

/** The variable that conventionally holds the key of a known host. */
export function keyVariableAt(baseUrl: string): string | undefined {
  if (isAzure(baseUrl)) return providers.azure.keyVariable;
  if (new URL(baseUrl).host === "ollama.com") return "OLLAMA_API_KEY";
  const known = providerNames
    .map(providerOf)
    .find((one) => one.baseUrl && new URL(one.baseUrl).host === new URL(baseUrl).host);
  return known?.keyVariable ?? undefined;
}

let known = { baseUrl: "", hostname: "", pathname: "" };

/** The parsed address. Caches the last one, because each request parses its address several times. */
function urlOf(baseUrl: string): typeof known {
  if (known.baseUrl !== baseUrl) {
    const { hostname, pathname } = new URL(baseUrl);
    known = { baseUrl, hostname, pathname };
  }
  return known;
}

/** Hosts of Azure, which expects the key in the header `api-key`. */
const azure = /\.(openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/;

/** Whether an endpoint is one of Azure's. */
export const isAzure = (baseUrl: string): boolean => azure.test(urlOf(baseUrl).hostname);

/** Hosts of known providers, which don't support fields of other servers. */
const knownHosts: ReadonlySet<string> = new Set(
  providerNames
    .map((name) => new URL(providerOf(name).baseUrl ?? "http://localhost").hostname)
    .filter((host) => host !== "localhost"),
).add("api.together.xyz");

/** Whether an endpoint is a known provider's. */
export const isKnownHost = (baseUrl: string): boolean =>
  knownHosts.has(urlOf(baseUrl).hostname) || isAzure(baseUrl);

/**
 * The default interface at an address: Anthropic's and Google's own; Responses for OpenAI, because only there its models
 * call functions while they think and show thoughts; Chat Completions for any other.
 * @example protocolAt("https://api.anthropic.com/v1") // "messages"
 */
export function protocolAt(baseUrl: string): ProtocolName {
  const { hostname, pathname } = urlOf(baseUrl);
  if (isAnthropic(baseUrl)) return "messages";
  if (isOpenAi(baseUrl)) return "responses";
  const isGoogle = hostname === "generativelanguage.googleapis.com";
  return isGoogle && !isCompatible(pathname) ? "generate_content" : "chat_completions";
}

/** Google has an OpenAI-compatible interface in addition to its own. */
const isCompatible = (path: string): boolean => path.includes("/openai");

/**
 * The default interface of a named provider at an address, which may be a gateway.
 * @example usualProtocol("google", "https://generativelanguage.googleapis.com/v1beta/openai") // "chat_completions"
 */
export function usualProtocol(name: ProviderName, baseUrl: string): ProtocolName {
  if (isCompatible(urlOf(baseUrl).pathname)) return "chat_completions";
  return providerOf(name).protocol ?? protocolAt(baseUrl);
}

/**
 * Why an address can't be called with a key, and what to do; null if it can.
 * @example unsignedProblem("https://bedrock-runtime.eu-west-1.amazonaws.com/model/x") // "takes requests that are signed …"
 */
export function unsignedProblem(baseUrl: string): string | null {
  const { hostname, pathname } = urlOf(baseUrl);
  const isSigned =
    (/^bedrock-runtime\..*\.amazonaws\.com$/.test(hostname) && !pathname.startsWith("/openai/")) ||
    (/(^|-)aiplatform\.googleapis\.com$/.test(hostname) &&
      !pathname.includes("/endpoints/openapi"));
  return isSigned
    ? "takes requests that are each signed, which Assay does not do: give the address of a gateway that signs them, such as LiteLLM, or the provider's OpenAI-compatible address (Bedrock: /openai/v1, Vertex AI: /endpoints/openapi)"
    : null;
}

/**
 * By host, the interfaces with documented schema-constrained decoding; OpenAI's models at Azure have other hosts.
 * Anthropic's OpenAI-compatible interface accepts and ignores a schema; at other hosts it depends on model or server.
 * Source: the providers' documentation, as of 2026-11-23.
 */
const enforcing: Readonly<Record<string, readonly ProtocolName[]>> = {
  "api.openai.com": ["chat_completions", "responses"],
  "api.anthropic.com": ["messages"],
  "generativelanguage.googleapis.com": ["generate_content"],
};

/**
 * Whether a host's documentation says that decoding follows the schema.
 * @example isEnforcing("api.anthropic.com", "chat_completions") // false
 */
export const isEnforcing = (host: string, protocol: ProtocolName = "chat_completions"): boolean =>
  (
    enforcing[host.replace(/^.+\.(openai\.azure\.com|api\.openai\.com)$/, "api.openai.com")] ?? []
  ).includes(protocol);

/**
 * The name of the token-limit parameter at a host.
 * @example limitParamAt("https://api.openai.com/v1") // "max_completion_tokens"
 */
export const limitParamAt = (baseUrl: string): "max_tokens" | "max_completion_tokens" =>
  isAzure(baseUrl) || isOpenAi(baseUrl) ? "max_completion_tokens" : "max_tokens";

/** Whether an endpoint is OpenAI's, in any region. */
const isOpenAi = (baseUrl: string): boolean =>
  /^(\w+\.)?api\.openai\.com$/.test(urlOf(baseUrl).hostname);

const isAt =
  (host: string) =>
  (baseUrl: string): boolean =>
    urlOf(baseUrl).hostname === host;

/** Whether an endpoint is at the loopback address of this machine. */
export const isLoopback = isAt("127.0.0.1");

/** Whether an endpoint is Anthropic's. */
export const isAnthropic = isAt("api.anthropic.com");

/** Whether an endpoint is Mistral's. */
export const isMistral = isAt("api.mistral.ai");

/** Whether an endpoint is DeepSeek's. */
export const isDeepSeek = isAt("api.deepseek.com");

/** Whether an endpoint is OpenRouter's. */
export const isOpenRouter = isAt("openrouter.ai");

interface Batched {
  baseUrl: string;
  protocol?: ProtocolName | undefined;
  /** Missing: the batch interface of the host. */
  batches?: BatchInterface | undefined;
}

/** The batch interface of a host, or of a program that simulates one. */
function batchesAt({ baseUrl, batches }: Batched): BatchInterface | null {
  if (batches !== undefined) return batches;
  if (isOpenAi(baseUrl)) return "openai";
  if (isAnthropic(baseUrl)) return "anthropic";
  if (isMistral(baseUrl)) return "mistral";
  const { hostname } = urlOf(baseUrl);
  return hostname === "generativelanguage.googleapis.com" ? "gemini" : null;
}

/**
 * The batch interface of an endpoint; null if it has none, or if batches don't support its protocol.
 * @example batchesOf({ baseUrl: "https://api.anthropic.com/v1", protocol: "messages" }) // "anthropic"
 */
export function batchesOf(endpoint: Batched): BatchInterface | null {
  const batches = batchesAt(endpoint);
  const { protocol = "chat_completions" } = endpoint;
  return batches !== null && batchedProtocols[batches].includes(protocol) ? batches : null;
}

/**
 * Why an endpoint can't be called in batches, and what to do; null if it can.
 * @example batchProblem({ baseUrl: "https://openrouter.ai/api/v1" }) // "openrouter.ai has no batches …"
 */
export function batchProblem(endpoint: Batched): string | null {
  if (batchesOf(endpoint) !== null) return null;
  const batches = batchesAt(endpoint);
  if (batches !== null) {
    return `batches of ${batches} take requests of protocol ${batchedProtocols[batches].join(" or ")}: name one of these`;
  }
  return `${new URL(endpoint.baseUrl).host} has no batches that Assay knows: OpenAI, Anthropic, Google (Gemini) and Mistral have; name its interface for them in batches (${batchInterfaces.join(", ")}) if it has one of these, or leave the mode out`;
}
