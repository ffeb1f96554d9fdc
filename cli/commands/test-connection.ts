import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { z } from "zod";
import type { Target } from "#shared/connection/check.ts";
import type { StructuredMode } from "#shared/contracts/answer.ts";
import {
  type Check,
  type Latency,
  type TestedEndpoint,
  testedEndpointSchema,
} from "#shared/contracts/submissions/connection.ts";
import {
  keyVariableAt,
  protocolAt,
  protocols,
  providerOf,
  usualProtocol,
} from "#shared/contracts/submissions/providers.ts";
import type { ConfigEndpoint, ConfigModel } from "#shared/contracts/submissions/run-config.ts";
import { ladderOf } from "#shared/protocols/protocol-of.ts";
import { command, jsonFlag, type Values, valueFlag } from "../command-line/command.ts";
import { endpointSecrets, endpointsOf, settingsIn } from "../config/endpoints.ts";
import { findingText } from "../config/finding.ts";
import { isLocal } from "../config/local-target.ts";
import { refuseUserInfo, variableName } from "../config/override-config.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { modelsOf } from "../config/suite-options.ts";
import { testEndpoint } from "../connection/test-endpoint.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { sentSecrets, sharedKey } from "../run/endpoint-keys.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { formatValue, MAX_WIDTH, printable, textTable } from "../terminal/text.ts";

/** Default timeout, longer than a small machine needs to load a model. */
const TIMEOUT_SECONDS = 60;

const flags = {
  endpoint: valueFlag("URL", "Address of the endpoint, such as http://localhost:11434/v1"),
  "base-url": valueFlag("URL", "Same as --endpoint"),
  model: valueFlag("NAME", "Name of the model at the endpoint; default: the first one it lists"),
  protocol: valueFlag("NAME", `Interface of the endpoint: ${protocols.join(", ")}`),
  "api-key-env": valueFlag(
    "NAME",
    "Environment variable, or line of .env, that holds the endpoint's key; default: the variable of a known provider, such as OPENAI_API_KEY",
  ),
  config: valueFlag("FILE", "Test all models of a config file of assay run"),
  timeout: valueFlag("SECONDS", "Longest wait for an answer", { default: `${TIMEOUT_SECONDS}` }),
  json: jsonFlag(
    z.object({ passed: z.boolean(), endpoints: z.array(testedEndpointSchema) }),
    "Print {passed, endpoints: [{endpoint, model, protocol, usable, checks, latency}]} as JSON",
  ),
} as const;

const words: Record<Check["outcome"], string> = {
  ok: "ok",
  no: "no",
  failed: "FAILED",
  skipped: "–",
};
const colors = { ok: "green", no: "yellow", failed: "red", skipped: "dim" } as const;

/** `assay test-connection`: whether an endpoint can be evaluated, and which features it supports. */
export const testConnectionCommand = command({
  name: "test-connection",
  summary: "test an endpoint: reachable, authorised, supported features",
  description: [
    "Tests an endpoint from this machine: DNS, port, TLS and HTTP separately; key, models and a plain chat, in the interfaces of OpenAI, Anthropic and Google; thoughts, token counts, structured output and whether it is enforced (by a schema that contradicts the prompt), function calls, log probabilities and streams; latency of short answers and stated rate limits. Every failed check has a hint. At the end, prints the lines of the model for a config file.",
  ],
  usage: [
    "assay test-connection --endpoint URL [--model NAME] [options]",
    "assay test-connection --config FILE [options]",
  ],
  flags,
  likelyFlag: "endpoint",
  exitCodes: {
    0: "Every model can be evaluated, even without some features",
    1: "A model cannot be evaluated",
  },
  notes: [
    "Sends about 15 short requests to each model, one at a time. A service elsewhere may reach an endpoint that this machine cannot, and vice versa.",
  ],
  examples: [
    "assay test-connection --endpoint http://localhost:11434/v1 --model llama3.1",
    "assay test-connection --config assay.yaml --json",
  ],
  async run(values, _, { stdout, stderr }) {
    const targets = values.config === undefined ? [flagged(values)] : configured(values);
    const tested: TestedEndpoint[] = [];
    const line = progressLine(stderr);
    for (const target of targets) {
      const one = await testEndpoint(target, (what) => line.show(`${target.model}: ${what}`));
      line.clear();
      tested.push(one);
      if (values.json) continue;
      stdout.write(`${tested.length > 1 ? "\n" : ""}${connectionText(one, stdout)}\n`);
      const variable = variableOf(values["api-key-env"], one.endpoint);
      if (values.config === undefined && one.usable) stdout.write(`\n${configText(one, variable)}`);
    }
    const short = tested.filter(({ usable }) => !usable);
    const passed = short.length === 0;
    if (values.json) stdout.write(`${flags.json.text({ passed, endpoints: tested })}\n`);
    if (!passed) throw new NotPassed(short.map(reasonOf).join("; "));
  },
});

type ConnectionValues = Values<typeof flags>;

function flagged(values: ConnectionValues): Target {
  const { model = "", endpoint, "base-url": other, "api-key-env": variable } = values;
  if (endpoint !== undefined && other !== undefined) {
    throw new BadInput("--endpoint and --base-url are the same flag: give one");
  }
  const baseUrl = endpoint ?? other;
  if (baseUrl === undefined) throw new BadInput("give --endpoint URL, or --config FILE");
  const protocol = protocols.find((one) => one === values.protocol);
  if (values.protocol !== undefined && protocol === undefined) {
    throw new BadInput(`--protocol must be one of ${protocols.join(", ")}`);
  }
  const url = URL.parse(baseUrl);
  refuseUserInfo(baseUrl, "--endpoint");
  if (!/^https?:$/.test(url?.protocol ?? "")) {
    throw new BadInput(
      `--endpoint must be an address such as https://api.example.com/v1, not "${baseUrl}"`,
    );
  }
  const keys = sharedKey(variableOf(variable, baseUrl), process.env);
  const { apiKey = null } = keys.secretsOf(model);
  return { baseUrl, model, protocol, apiKey, timeoutMs: timeoutOf(values.timeout) };
}

/** The variable of the key: the named variable, or the variable of a known provider, if set. */
function variableOf(named: string | undefined, baseUrl: string): string | undefined {
  const usual = keyVariableAt(baseUrl);
  return variableName(named) ?? (process.env[usual ?? ""] ? usual : undefined);
}

function timeoutOf(given: string | undefined, usual = TIMEOUT_SECONDS): number {
  const seconds = given === undefined ? usual : Number(given);
  if (given?.trim() !== "" && seconds > 0 && seconds <= 600) return Math.round(seconds * 1000);
  throw new BadInput(`--timeout must be seconds above 0 and up to 600, not "${given}"`);
}

function configured(values: ConnectionValues): Target[] {
  const { config: file = "", model, endpoint, "base-url": other } = values;
  const loose = Object.entries({ model, endpoint, "base-url": other }).find(([, one]) => one);
  if (loose) throw new BadInput(`--${loose[0]} and --config exclude each other`);
  const { config, findings } = readRunConfig(file);
  if (config === null) {
    const error = findings.find(({ severity }) => severity === "error")!;
    throw new BadInput(findingText(file, error));
  }
  const models = modelsOf(config).map(([, one]) => one);
  if (models.length === 0) throw new BadInput(`${file}: no model to test`);
  return models.flatMap((one) =>
    endpointsOf(one).map(([, endpoint]) => ({
      ...targetOf(file, one, endpoint, values),
      settings: settingsIn(config, one),
    })),
  );
}

function targetOf(
  file: string,
  one: ConfigModel,
  endpoint: ConfigEndpoint,
  values: ConnectionValues,
): Target {
  const { name, timeout } = one;
  if (isLocal(one)) {
    throw new BadInput(
      `${file}: ${name} is a program or template, not an endpoint: test it with assay run --sample 1`,
    );
  }
  const { model = name, provider } = endpoint;
  const known = provider === undefined ? undefined : providerOf(provider);
  const baseUrl = endpoint.base_url ?? known?.baseUrl;
  if (baseUrl === undefined) throw new BadInput(`${file}: ${name} has no base_url or provider`);
  const named = variableName(values["api-key-env"]);
  const given = endpointSecrets(endpoint);
  const from = named === undefined ? given.apiKey : { variable: named };
  const secrets = sentSecrets({ ...given, apiKey: from }, process.env, name);
  const { apiKey = null, headers = {} } = secrets;
  const usual = provider === undefined ? undefined : usualProtocol(provider, baseUrl);
  const protocol = endpoint.protocol ?? (known?.protocol && usual);
  const timeoutMs = timeoutOf(values.timeout, timeout);
  return { baseUrl, model, protocol, apiKey, headers, timeoutMs };
}

/** The checks of an endpoint as a table, with a hint below each failed check. */
function connectionText(tested: TestedEndpoint, stream: Writable): string {
  const { endpoint, model, usable, checks, latency } = tested;
  const rows = checks.map(({ label, outcome, ms, detail }) => [
    label,
    words[outcome],
    time(ms),
    printable(detail),
  ]);
  const table = textTable([["check", "outcome", "time", "found"], ...rows], (k) => k !== 2);
  const lines = table.slice(1).flatMap((line, i) => {
    const { outcome, hint } = checks[i]!;
    const shown = painted(cut(line), outcome, stream);
    return hint === null ? [shown] : [shown, `    → ${printable(hint)}`];
  });
  const verdict = `${model} ${usable ? "can" : "cannot"} be evaluated`;
  return [
    styleText("bold", printable(`${model} at ${endpoint}`), { stream }),
    styleText("dim", table[0]!, { stream }),
    ...lines,
    ...(latency === null ? [] : latencyLines(latency)),
    printable(verdict),
  ].join("\n");
}

/** A model for a config file with the detected settings. */
function configText({ endpoint, model, protocol, checks }: TestedEndpoint, variable?: string) {
  const hints = checks.flatMap(({ id, hint }) =>
    ["maxTokens", "temperature"].includes(id) && hint ? [hint.split(" in the config")[0]!] : [],
  );
  const lines = [
    `name: ${JSON.stringify(model)}`,
    `base_url: ${endpoint}`,
    ...(protocol === protocolAt(endpoint) ? [] : [`protocol: ${protocol}`]),
    ...(variable === undefined ? [] : [`api_key_env: ${variable}`]),
    structuredLine(checks, ladderOf({ baseUrl: endpoint, protocol })),
    ...hints,
    ...(checks.some(({ id, outcome }) => id === "effort" && outcome === "ok")
      ? ["# reasoning_effort: low # with it, the model shows thoughts"]
      : []),
  ];
  return `model:\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`;
}

/** The mode with the best enforcement; `auto` if a run chooses it automatically. */
function structuredLine(checks: readonly Check[], ladder: readonly StructuredMode[]): string {
  const by = (enforced: Check["enforced"]) =>
    ladder.find((mode) => checks.some((one) => one.id === mode && one.enforced === enforced));
  const best = by("constrained") ?? by("asked for") ?? "none";
  const taken = ladder.find((mode) => checks.some((one) => one.id === mode && one.enforced));
  const { enforced = "not asked for" } = checks.find(({ id }) => id === best) ?? {};
  return `structured_output: ${best === taken ? "auto" : best} # ${best}: ${enforced}`;
}

const time = (ms: number | null): string => (ms === null ? "" : formatValue(ms, "ms"));

function painted(line: string, outcome: Check["outcome"], stream: Writable): string {
  const word = words[outcome];
  return line.replace(` ${word}`, ` ${styleText(colors[outcome], word, { stream })}`);
}

const cut = (line: string): string =>
  line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;

function latencyLines({ n, asked, medianMs, minMs, maxMs, rateLimits }: Latency): string[] {
  const of = n === asked ? `${n} short answers` : `${n} of ${asked} short answers`;
  const range = `${time(minMs)} – ${time(maxMs)}`;
  const limits = Object.entries(rateLimits).map(([name, value]) =>
    printable(`  ${name}: ${value}`),
  );
  return [
    `Latency of ${of}, sequential: median ${time(medianMs)}, range ${range}`,
    ...(limits.length === 0 ? ["Rate limits: none stated"] : ["Rate limits:", ...limits]),
  ];
}

function reasonOf({ model, checks }: TestedEndpoint): string {
  const failed = checks.find(({ outcome }) => outcome === "failed");
  return `${model} cannot be evaluated: ${failed?.detail}`;
}
