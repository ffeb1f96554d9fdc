import { isAzure } from "#shared/contracts/submissions/providers.ts";
import { type CallRules, ownZoneOf } from "./own-hosts.ts";
import { hostProblem } from "./public-host.ts";

/** Longer than any address; bounds the checks and the row. */
const MAX_LENGTH = 2_000;

/** Advice in error messages, in the caller's terms. */
export interface Advice {
  example: string;
  credentials: string;
  port: string;
  /** Why an address may not have a query; null: it may. */
  query: string | null;
}

/**
 * Why an address may not be called, as a predicate for an error message; null if it may.
 * It can't check where a name resolves: a public name can point to a private address, at once or later (DNS rebinding),
 * and a Worker neither resolves names for `fetch` nor sees the connected address. The platform limits this: `fetch`
 * leaves from Cloudflare's network, which can't reach private networks, and redirects are not followed. Other
 * deployments should use an egress proxy that checks addresses.
 */
function publicUrlProblem(
  address: string,
  { allowPrivateEndpoints: allowPrivate, ownHosts }: CallRules,
  advice: Advice,
): string | null {
  const written = writtenProblem(address, advice);
  if (written !== null) return written;
  const url = new URL(address);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
    return `must begin with https://, not ${url.protocol}//`;
  }
  if (closedPorts.has(Number(url.port || "443"))) {
    return `must not use port ${url.port}, which belongs to another kind of service: ${advice.port}`;
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host.endsWith(".")) return "must not have a host name that ends with a dot";
  const problem = hostProblem(host, allowPrivate);
  if (problem !== null) return `must be a public host: "${host}" ${problem}`;
  const zone = allowPrivate ? null : ownZoneOf(host, ownHosts);
  return zone === null
    ? null
    : `must be outside of this service's own zone: "${host}" is in ${zone}`;
}

/** Problems of the address as written, before the URL parser normalises it. */
function writtenProblem(address: string, advice: Advice): string | null {
  if (address.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\s\u0000-\u001f\u007f\\]/.test(address)) {
    return "must not contain white space, control characters or backslashes";
  }
  if (!URL.canParse(address)) return `must be an absolute URL such as ${advice.example}`;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1];
  if (authority === undefined) return "must be written as https://host/path";
  if (authority.includes("@")) {
    return `must not contain a user name or password; ${advice.credentials}`;
  }
  if (authority.includes("%")) return "must not contain percent-encoding in its host name";
  if (advice.query === null) {
    return address.includes("#") ? "must not contain a fragment, which is never sent" : null;
  }
  return /[?#]/.test(address) ? `must not contain a query or fragment; ${advice.query}` : null;
}

const endpointAdvice: Advice = {
  example: "https://api.example.com/v1",
  credentials: "give the key as apiKey",
  port: "serve the model on another, such as 443 or 8000",
  query: "the path of its interface is added to it",
};

/** Why an endpoint's address may not be called, as a predicate for an error message; null if it may. */
export const endpointUrlProblem = (address: string, rules: CallRules): string | null =>
  publicUrlProblem(withoutVersion(address), rules, endpointAdvice);

/** Removes the query with the API version, which Azure's addresses have. */
function withoutVersion(address: string): string {
  const [base = "", ...rest] = address.split("?");
  const isVersion = rest.length === 1 && /^api-version=[\w.-]{1,40}$/.test(rest[0]!);
  return isVersion && URL.canParse(base) && isAzure(base) ? base : address;
}

/** Ports that browsers block. Source: Fetch Standard, section "Port blocking" (0 among them). */
const fetchBlocked = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
];

/** Databases, caches and search. */
const stores = [
  1433, 1434, 1521, 2638, 3050, 3306, 5432, 5433, 5984, 6379, 6380, 6432, 6984, 7473, 7474, 7687,
  8086, 8123, 8529, 8983, 9042, 9142, 9160, 9200, 9300, 11210, 11211, 16379, 26257, 26379, 27017,
  27018, 27019, 28015, 28017, 33060,
];

/** Queues and brokers. */
const brokers = [1883, 2181, 4222, 5671, 5672, 8161, 8883, 9092, 9093, 9094, 15672, 61613, 61616];

/** Control of machines and containers: Docker, etcd, Kubernetes, Consul, Nomad, Vault, Ray, Salt. */
const control = [
  2375, 2376, 2377, 2379, 2380, 4001, 4505, 4506, 4646, 4647, 4648, 6443, 8200, 8201, 8265, 8300,
  8301, 8302, 8500, 8501, 8502, 8600, 10248, 10249, 10250, 10255, 10256, 10257, 10259,
];

/** Files, directories, remote desktops, proxies, metrics. */
const machines = [
  88, 111, 445, 464, 873, 1080, 1099, 2222, 3128, 3260, 3268, 3269, 3389, 5601, 5900, 5901, 5985,
  5986, 8009, 9100, 9418,
];

/**
 * Ports that are never called: they belong to other services, some of which obey any caller. All other ports are open,
 * because inference servers use many.
 */
const closedPorts: ReadonlySet<number> = new Set([
  ...fetchBlocked,
  ...stores,
  ...brokers,
  ...control,
  ...machines,
]);

const webhookAdvice: Advice = {
  example: "https://example.com/hooks/assay",
  credentials: "the signature says who calls",
  port: "listen on another, such as 443 or 8443",
  query: null,
};

/** Why a webhook's address may not be called, as a predicate for an error message; null if it may. */
export const webhookUrlProblem = (address: string, rules: CallRules): string | null =>
  publicUrlProblem(address, rules, webhookAdvice);

const streamAdvice: Advice = {
  example: "https://logs.example.com/yesterday.jsonl",
  credentials: "give them as authorization",
  port: "serve the file on another, such as 443",
  query: null,
};

/** Why the address of a stream may not be fetched, as a predicate for an error message; null if it may. */
export const streamUrlProblem = (address: string, rules: CallRules): string | null =>
  publicUrlProblem(address, rules, streamAdvice);
