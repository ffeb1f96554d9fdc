import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { ConfigModel } from "#shared/contracts/run-config.ts";
import { BadInput } from "../bad-input.ts";
import { MAX_WIDTH } from "../compare/wrapped.ts";
import { findingText } from "../config/finding.ts";
import { refuseUserInfo, variableName } from "../config/overlaid.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { modelsOf } from "../config/suite-options.ts";
import type { Check, Target } from "../connection/check.ts";
import type { Latency } from "../connection/latency.ts";
import { type TestedEndpoint, testEndpoint } from "../connection/test-endpoint.ts";
import { NotPassed } from "../not-passed.ts";
import { printable } from "../printable.ts";
import { sharedKey } from "../run/endpoint-keys.ts";
import { progressLine } from "../runs/progress-line.ts";
import { formatValue } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";
import { command } from "./command.ts";

/** Longer than a small machine takes to load a model. */
const TIMEOUT_SECONDS = 60;

const help = `assay test-connection --endpoint URL --model NAME [options]
assay test-connection --config FILE [options]

Tries an OpenAI-compatible endpoint from this machine: name, port, encryption and HTTP, each told apart; key,
model, a plain chat; ways to ask for structured output; function calls, log probabilities, seed and streams; how
long short answers take, and what the endpoint says of rate limits. Whatever lacks has a hint.

  --endpoint URL      its address, as http://localhost:11434/v1; --base-url is the same
  --model NAME        what the endpoint calls the model
  --api-key-env NAME  the environment variable (or line of .env) that holds the endpoint's key
  --config FILE       all models of a config file of assay run
  --timeout SECONDS   longest wait for an answer; without it, ${TIMEOUT_SECONDS}
  --json              print {passed, endpoints: [{endpoint, model, usable, checks, latency}]}
  --help              show this

Some 17 short requests are made of each model, one after the other. A service elsewhere may reach an endpoint
that this machine does not, and the other way round.

Exit code: 0 when every model can be asked, whatever it lacks beside; 1 when one can't; 2 for input that needs
a change.

Examples
  assay test-connection --endpoint http://localhost:11434/v1 --model llama3.1
  assay test-connection --config assay.yaml --json`;

const flags = {
  endpoint: { type: "string" },
  "base-url": { type: "string" },
  model: { type: "string" },
  "api-key-env": { type: "string" },
  config: { type: "string" },
  timeout: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `assay test-connection`: whether an endpoint can be evaluated, and what it can. */
export const testConnectionCommand = command({
  name: "test-connection",
  summary: "try an endpoint: reachable, authorised, and what it can",
  help,
  flags,
  async run(values, [surplus], { stdout, stderr }) {
    if (surplus !== undefined)
      throw new BadInput(`"${surplus}" is too much: give it with --endpoint`);
    const targets = values.config === undefined ? [flagged(values)] : configured(values);
    const tested: TestedEndpoint[] = [];
    const line = progressLine(stderr);
    for (const target of targets) {
      const one = await testEndpoint(target, (what) => line.show(`${target.model}: ${what}`));
      line.clear();
      tested.push(one);
      if (values.json) continue;
      stdout.write(`${tested.length > 1 ? "\n" : ""}${connectionText(one, stdout)}\n`);
    }
    const short = tested.filter(({ usable }) => !usable);
    const passed = short.length === 0;
    if (values.json) stdout.write(`${JSON.stringify({ passed, endpoints: tested }, null, 2)}\n`);
    if (!passed) throw new NotPassed(short.map(reasonOf).join("; "));
  },
});

type Values = Parameters<typeof testConnectionCommand.run>[0];

function reasonOf({ model, checks }: TestedEndpoint): string {
  const failed = checks.find(({ outcome }) => outcome === "failed");
  return `${model} can't be asked: ${failed?.detail}`;
}

function flagged(values: Values): Target {
  const { model, endpoint, "base-url": other, "api-key-env": variable } = values;
  if (endpoint !== undefined && other !== undefined) {
    throw new BadInput("--endpoint and --base-url are the same: give one");
  }
  const baseUrl = endpoint ?? other;
  if (baseUrl === undefined || model === undefined) {
    throw new BadInput("give --endpoint URL and --model NAME, or --config FILE");
  }
  const url = URL.parse(baseUrl);
  refuseUserInfo(baseUrl, "--endpoint");
  if (!/^https?:$/.test(url?.protocol ?? "")) {
    throw new BadInput(
      `--endpoint takes an address such as https://api.example.com/v1, not "${baseUrl}"`,
    );
  }
  const key = sharedKey(variableName(variable), process.env).of(model) ?? null;
  return { baseUrl, model, apiKey: key, timeoutMs: timeoutOf(values.timeout) };
}

function configured(values: Values): Target[] {
  const { config: file = "", model, endpoint, "base-url": other } = values;
  const loose = Object.entries({ model, endpoint, "base-url": other }).find(([, one]) => one);
  if (loose) throw new BadInput(`--${loose[0]} and --config: give one`);
  const { config, findings } = readRunConfig(file);
  if (config === null) {
    const error = findings.find(({ severity }) => severity === "error")!;
    throw new BadInput(findingText(file, error));
  }
  const models = modelsOf(config).map(([, one]) => one);
  if (models.length === 0) throw new BadInput(`${file}: it has no model to try`);
  return models.map((one) => targetOf(file, one, values));
}

function targetOf(file: string, one: ConfigModel, values: Values): Target {
  const { name, model = name, base_url: baseUrl, api_key_env, timeout } = one;
  if (baseUrl === undefined) throw new BadInput(`${file}: ${name} has no base_url`);
  const variable = variableName(values["api-key-env"]) ?? api_key_env;
  const key = sharedKey(variable, process.env).of(model) ?? null;
  return { baseUrl, model, apiKey: key, timeoutMs: timeoutOf(values.timeout, timeout) };
}

function timeoutOf(given: string | undefined, usual = TIMEOUT_SECONDS): number {
  const seconds = given === undefined ? usual : Number(given);
  if (given?.trim() !== "" && seconds > 0 && seconds <= 600) return Math.round(seconds * 1000);
  throw new BadInput(`--timeout takes seconds above 0 and up to 600, not "${given}"`);
}

const words: Record<Check["outcome"], string> = {
  ok: "ok",
  no: "no",
  failed: "FAILED",
  skipped: "–",
};
const colors = { ok: "green", no: "yellow", failed: "red", skipped: "dim" } as const;

const time = (ms: number | null): string => (ms === null ? "" : formatValue(ms, "ms"));

/** What was found out about an endpoint as a table, with what to do beneath what lacks. */
function connectionText(tested: TestedEndpoint, stream: Writable): string {
  const { endpoint, model, usable, checks, latency } = tested;
  const rows = checks.map(({ label, outcome, ms, detail }) => [
    label,
    words[outcome],
    time(ms),
    printable(detail),
  ]);
  const table = textTable([["check", "outcome", "time", "what was seen"], ...rows], (k) => k !== 2);
  const lines = table.slice(1).flatMap((line, i) => {
    const { outcome, hint } = checks[i]!;
    const shown = painted(cut(line), outcome, stream);
    return hint === null ? [shown] : [shown, `    → ${printable(hint)}`];
  });
  const verdict = usable ? `${model} can be asked${modesText(checks)}` : `${model} can't be asked`;
  return [
    styleText("bold", printable(`${model} at ${endpoint}`), { stream }),
    styleText("dim", table[0]!, { stream }),
    ...lines,
    ...(latency === null ? [] : latencyLines(latency)),
    printable(verdict),
  ].join("\n");
}

const cut = (line: string): string =>
  line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;

function painted(line: string, outcome: Check["outcome"], stream: Writable): string {
  const word = words[outcome];
  return line.replace(` ${word}`, ` ${styleText(colors[outcome], word, { stream })}`);
}

const modes = ["json_schema_strict", "json_schema", "json_object", "none"];

/** What `structured_output` can be in a config. */
function modesText(checks: readonly Check[]): string {
  const works = modes.filter((mode) =>
    checks.some(({ id, outcome }) => id === mode && outcome === "ok"),
  );
  return works.length === 0 ? "" : `; structured_output that works: ${works.join(", ")}`;
}

function latencyLines({ n, asked, medianMs, minMs, maxMs, rateLimits }: Latency): string[] {
  const of = n === asked ? `${n} short answers` : `${n} of ${asked} short answers`;
  const range = `${time(minMs)} – ${time(maxMs)}`;
  const limits = Object.entries(rateLimits).map(([name, value]) =>
    printable(`  ${name}: ${value}`),
  );
  return [
    `Latency of ${of}, one after the other: median ${time(medianMs)}, range ${range}`,
    ...(limits.length === 0
      ? ["Rate limits: the endpoint names none"]
      : ["Rate limits:", ...limits]),
  ];
}
