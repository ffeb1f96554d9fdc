import type { Check, Latency, TestedEndpoint } from "../contracts/submissions/connection.ts";
import { type ProtocolName, protocolAt, protocols } from "../contracts/submissions/providers.ts";
import { percentile } from "../stats/sums/percentile.ts";
import { accessible, firstModel } from "./access-checks.ts";
import {
  type Asked,
  type EndpointClient,
  failing,
  passed,
  type Surroundings,
  type Target,
} from "./check.ts";
import {
  chatCheck,
  effortChecks,
  featureChecks,
  type RequestParameters,
  structuredChecks,
} from "./model-checks.ts";

/**
 * Tests an endpoint that can be reached, from its list of models to its features; skips checks that can't succeed.
 * Without a model, it tests the first chat model listed; if the path of the usual interface is missing, it tries the
 * others. `before`: results of earlier checks. `models`: all listed models.
 */
export async function testModel(
  given: Target,
  around: Surroundings,
  { before = [], print = () => {} }: { before?: Check[]; print?: (what: string) => void } = {},
): Promise<TestedEndpoint & { models: string[] }> {
  const usual = given.protocol ?? protocolAt(given.baseUrl);
  const checks = [...before];
  const isGiven = given.protocol !== undefined;
  const { listed, ...open } = await accessible({ ...given, protocol: usual }, isGiven, around);
  let { target } = open;
  checks.push(...open.checks);
  const of = (latency: Latency | null = null) => ({
    ...untested(target, checks),
    usable: latency !== null,
    latency,
    models: listed,
  });
  if (checks.some(({ outcome }) => outcome === "failed")) return of();
  target = { ...target, model: target.model || (firstModel(listed) ?? "") };
  print("calling the model …");
  const found = await speaking(target, listed, isGiven, around);
  target = found.target;
  const { parameters } = found;
  if (parameters !== null) checks.push(interfaceCheck(target, usual, around));
  checks.push(...found.checks);
  if (parameters === null) return of();
  if (checks.some(({ id, outcome }) => id === "thoughts" && outcome === "no")) {
    checks.push(...(await effortChecks(target, parameters, around)));
  }
  const ask = around.connect(target);
  print("structured output …");
  checks.push(...(await structuredChecks(target, ask, parameters)));
  print("function calls, log probabilities, streams …");
  checks.push(...(await featureChecks(ask, parameters)));
  print("latency …");
  const latency = await latencyOf(ask, parameters);
  if (latency.n > 0) return of(latency);
  checks.push(
    failing("latency", "Latency", "no further answer was received", "see rate limits and logs"),
  );
  return of();
}

/** The result for an endpoint whose model was not called. */
export const untested = (
  { baseUrl, model, protocol = protocolAt(baseUrl) }: Target,
  checks: Check[],
): TestedEndpoint => ({
  endpoint: baseUrl,
  model,
  protocol,
  usable: false,
  checks,
  latency: null,
});

/** Chats in the named or usual interface; if none was named and the path is missing, tries the other interfaces. */
async function speaking(
  target: Target,
  listed: readonly string[],
  isGiven: boolean,
  around: Surroundings,
) {
  const first = await chatCheck(target, listed, around);
  const isMissing = first.parameters === null && first.status === 404;
  if (!isMissing || isGiven) return { target, ...first };
  for (const protocol of protocols.filter((one) => one !== target.protocol)) {
    const other = { ...target, protocol };
    const tried = await chatCheck(other, listed, around);
    if (tried.parameters !== null) return { target: other, ...tried };
  }
  return { target, ...first };
}

function interfaceCheck(
  { protocol = "chat_completions" }: Target,
  usual: ProtocolName,
  { advice }: Surroundings,
): Check {
  const not = protocol === usual ? "" : `, not ${usual}`;
  const check = passed("protocol", "Interface", `${protocol}${not}`, null);
  return not === "" ? check : { ...check, hint: `${advice.protocol}${protocol}` };
}

const ASKED = 5;
const question: Asked = { messages: [{ role: "user", content: "Say hello in one word." }] };
/** Names of rate-limit headers of several providers. */
const limitHeader = /^(x-ratelimit-|anthropic-ratelimit-|ratelimit|retry-after$)/;

/** Requests a one-word answer several times, sequentially. */
async function latencyOf(ask: EndpointClient, parameters: RequestParameters): Promise<Latency> {
  const times: number[] = [];
  let rateLimits: Record<string, string> = {};
  for (let i = 0; i < ASKED; i++) {
    const said = await ask.chat({ ...question, ...parameters });
    if (!said.ok) continue;
    times.push(said.ms);
    rateLimits = Object.fromEntries(
      Object.entries(said.headers).filter(([name]) => limitHeader.test(name.toLowerCase())),
    );
  }
  const sorted = times.sort((a, b) => a - b);
  return {
    n: sorted.length,
    asked: ASKED,
    rateLimits,
    medianMs: percentile(sorted, 0.5),
    minMs: sorted[0] ?? null,
    maxMs: sorted.at(-1) ?? null,
  };
}
