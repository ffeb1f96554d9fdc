import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import {
  failing,
  passed,
  type Surroundings,
  skipping,
  type Target,
} from "#shared/connection/check.ts";
import { testModel, untested } from "#shared/connection/test-model.ts";
import type { Check, TestedEndpoint } from "#shared/contracts/submissions/connection.ts";
import { unsignedProblem } from "#shared/contracts/submissions/providers.ts";

/** A host that does not answer within this time counts as unreachable. */
const TIMEOUT_MS = 10_000;

const advice: Surroundings["advice"] = {
  noKey:
    "put it into an environment variable or .env, and give the variable's name with --api-key-env",
  wrongKey: "check the variable that --api-key-env names",
  noModel: "name the model with --model NAME",
  slow: "is it a model server, and not too busy? --timeout SECONDS waits longer",
  loading: "the model may still be loading: try again, or give --timeout SECONDS",
  limitParam: "max_tokens_param: max_completion_tokens in the config",
  temperature: "temperature: null in the config leaves it out",
  effort: "reasoning_effort: low in the config, or another effort",
  protocol: "in the config, protocol: ",
};

/** Tests an endpoint from this machine, from name resolution to the last feature. */
export async function testEndpoint(
  target: Target,
  print: (what: string) => void,
): Promise<TestedEndpoint> {
  print("connecting …");
  const before = await reach(target.baseUrl);
  const isStuck = before.some(({ outcome }) => outcome === "failed");
  if (isStuck) return untested(target, before);
  // Imported here, because the SDK takes a seventh of the start time of every command.
  const { endpointClient: connect } = await import("./endpoint-client.ts");
  const { models: _, ...tested } = await testModel(target, { connect, advice }, { before, print });
  return tested;
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
