import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { z } from "zod";
import {
  type ProtocolName,
  protocolAt,
  protocols,
  unsignedProblem,
} from "#shared/contracts/submissions/providers.ts";
import { accessible, firstModel } from "./access-checks.ts";
import { type Check, checkSchema, failing, passed, skipping, type Target } from "./check.ts";
import { endpointClient } from "./endpoint-client.ts";
import { type Latency, latencyOf, latencySchema } from "./latency.ts";
import { chatCheck, effortChecks, featureChecks, structuredChecks } from "./model-checks.ts";

/** A host that does not answer within this time counts as unreachable. */
const TIMEOUT_MS = 10_000;

/** Results of testing an endpoint. */
export const testedEndpointSchema = z.object({
  endpoint: z.string(),
  model: z.string(),
  protocol: z.enum(protocols).meta({ description: "the interface that it was asked in" }),
  usable: z.boolean().meta({ description: "whether the model answers at all" }),
  checks: z.array(checkSchema),
  latency: latencySchema.nullable().meta({ description: "null if it does not answer" }),
});
export type TestedEndpoint = z.infer<typeof testedEndpointSchema>;

/**
 * Tests an endpoint from this machine, from its name to the last option; checks that can't succeed are skipped. Without
 * a model, the first that it lists is tested; if the path of the usual interface is missing, the others are tried.
 */
export async function testEndpoint(
  given: Target,
  print: (what: string) => void,
): Promise<TestedEndpoint> {
  const usual = given.protocol ?? protocolAt(given.baseUrl);
  let target: Target = { ...given, protocol: usual };
  const of = (checks: Check[], latency: Latency | null = null): TestedEndpoint => ({
    endpoint: target.baseUrl,
    model: target.model,
    protocol: target.protocol ?? usual,
    usable: latency !== null,
    checks,
    latency,
  });
  print("connecting …");
  const checks = await reach(target.baseUrl);
  const isStuck = () => checks.some(({ outcome }) => outcome === "failed");
  if (isStuck()) return of(checks);
  const { checks: access, listed, ...open } = await accessible(target, given.protocol != null);
  target = open.target;
  checks.push(...access);
  if (isStuck()) return of(checks);
  target = { ...target, model: target.model || (firstModel(listed) ?? "") };
  print("calling the model …");
  const found = await speaking(target, listed, given.protocol !== undefined);
  target = found.target;
  if (found.parameters !== null) checks.push(interfaceCheck(target, usual));
  checks.push(...found.checks);
  const { parameters } = found;
  if (parameters === null) return of(checks);
  const ask = endpointClient(target);
  if (checks.some(({ id, outcome }) => id === "thoughts" && outcome === "no")) {
    checks.push(...(await effortChecks(target, parameters)));
  }
  print("structured output …");
  checks.push(...(await structuredChecks(target, ask, parameters)));
  print("function calls, log probabilities, streams …");
  checks.push(...(await featureChecks(ask, parameters)));
  print("latency …");
  const latency = await latencyOf(ask, parameters);
  if (latency.n > 0) return of(checks, latency);
  checks.push(
    failing("latency", "Latency", "no further answer was received", "see rate limits and logs"),
  );
  return of(checks);
}

/** Asks in the interface that is named or usual, and where that has no such path, in the others. */
async function speaking(target: Target, listed: readonly string[], isGiven: boolean) {
  const first = await chatCheck(target, endpointClient(target), listed);
  const isMissing = first.parameters === null && first.status === 404;
  if (!isMissing || isGiven) return { target, ...first };
  for (const protocol of protocols.filter((one) => one !== target.protocol)) {
    const other = { ...target, protocol };
    const tried = await chatCheck(other, endpointClient(other), listed);
    if (tried.parameters === null) continue;
    return { target: other, ...tried };
  }
  return { target, ...first };
}

function interfaceCheck({ protocol = "chat_completions" }: Target, usual: ProtocolName): Check {
  const not = protocol === usual ? "" : `, not ${usual}`;
  const check = passed("protocol", "Interface", `${protocol}${not}`, null);
  return not === "" ? check : { ...check, hint: `protocol: ${protocol} in the config` };
}

/** Whether an address is reachable: name, port and encryption, checked separately. Stops at the first failure. */
async function reach(baseUrl: string): Promise<Check[]> {
  const [problem, ...remedy] = unsignedProblem(baseUrl)?.split(": ") ?? [];
  if (problem !== undefined) return [failing("address", "Address", problem, remedy.join(": "))];
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const number = Number(port) || (protocol === "https:" ? 443 : 80);
  const checks: Check[] = [];
  const steps = [
    () => dns(host),
    () => tcp(host, number),
    ...(protocol === "https:" ? [() => tls(host, number)] : []),
  ];
  for (const step of steps) {
    const check = await step();
    checks.push(check);
    if (check.outcome === "failed") break;
  }
  return checks;
}

async function dns(host: string): Promise<Check> {
  if (isIP(host)) return skipping("dns", "DNS", `${host} is an address`);
  const since = performance.now();
  try {
    const found = await lookup(host, { all: true });
    const shown = found.map(({ address }) => address).join(", ");
    return passed("dns", "DNS", `${host} is ${shown}`, performance.now() - since);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failing(
      "dns",
      "DNS",
      `the host ${host} is unknown (${code})`,
      code === "EAI_AGAIN"
        ? "no name server answers: is this machine online?"
        : "check its spelling; names of a private network can only be resolved there",
    );
  }
}

async function tcp(host: string, port: number): Promise<Check> {
  const since = performance.now();
  const socket = connectTcp({ host, port });
  const at = `${host}:${port}`;
  try {
    await within(socket, "connect");
    return passed("tcp", "TCP", `${at} is open`, performance.now() - since);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code ?? message;
    return failing("tcp", "TCP", `can't connect to ${at} (${why})`, tcpHint(code, port));
  } finally {
    socket.destroy();
  }
}

async function within(socket: Socket, event: string): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await once(socket, event, { signal }).catch((error) => {
    throw signal.aborted ? Object.assign(new Error(), { code: "ETIMEDOUT" }) : error;
  });
}

function tcpHint(code: string | undefined, port: number): string {
  if (code === "ECONNREFUSED") {
    return `nothing listens on port ${port}: is the model server running? vLLM's usual port is 8000, Ollama's 11434, LM Studio's 1234`;
  }
  return "the host doesn't answer: check the address, and firewalls and VPNs on the way";
}

async function tls(host: string, port: number): Promise<Check> {
  const since = performance.now();
  const name = isIP(host) ? {} : { servername: host };
  const socket: TLSSocket = connectTls({ host, port, ...name });
  try {
    await within(socket, "secureConnect");
    const { valid_to: until } = socket.getPeerCertificate();
    const detail = `${socket.getProtocol()}, certificate valid until ${until}`;
    return passed("tls", "TLS", detail, performance.now() - since);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failing(
      "tls",
      "TLS",
      `no encrypted connection to ${host} (${code ?? message})`,
      tlsHint(code),
    );
  } finally {
    socket.destroy();
  }
}

function tlsHint(code = ""): string {
  if (/SSL|EPROTO|ECONNRESET/.test(code)) {
    return "the port may expect http: give the address with http://";
  }
  if (code === "CERT_HAS_EXPIRED") return "its certificate must be renewed";
  if (/ALTNAME/.test(code)) return "its certificate is for another name: check the address";
  return "its certificate is signed by an authority that Node.js does not know: set NODE_EXTRA_CA_CERTS to a file with that authority";
}
