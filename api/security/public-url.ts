import { closedPorts } from "./closed-ports.ts";
import { type CallRules, ownZoneOf } from "./own-hosts.ts";
import { hostProblem } from "./public-host.ts";

/** Longer than any address; keeps the checks and the row small. */
const MAX_LENGTH = 2_000;

/** What to do instead, in words of whoever gave the address. */
export interface Advice {
  example: string;
  credentials: string;
  port: string;
  /** Why there can be no query; null: there can be one. */
  query: string | null;
}

/**
 * Why an address that somebody gave may not be called, worded to follow its name; null when it may.
 *
 * What this can't see is where a name leads: a public name can resolve to a private address, at
 * once or from the second look-up on (DNS rebinding), and a Worker neither resolves names for
 * `fetch` nor sees the address it connected to. What limits that is the platform: `fetch` leaves
 * from Cloudflare's network, which has no way into a private one, and no redirect is followed. A
 * deployment elsewhere should send its calls through an egress proxy that checks addresses.
 */
export function publicUrlProblem(
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
    return `must not name port ${url.port}, on which other services answer: ${advice.port}`;
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host.endsWith(".")) return "must not end its host name in a dot";
  const problem = hostProblem(host, allowPrivate);
  if (problem !== null) return `must be a public host: "${host}" ${problem}`;
  const zone = allowPrivate ? null : ownZoneOf(host, ownHosts);
  return zone === null
    ? null
    : `must be outside of this service's own zone: "${host}" is in ${zone}`;
}

/** What is wrong with the address as it is written, before the URL parser smooths it over. */
function writtenProblem(address: string, advice: Advice): string | null {
  if (address.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\s\u0000-\u001f\u007f\\]/.test(address)) {
    return "must hold no white space, control character or backslash";
  }
  if (!URL.canParse(address)) return `must be an absolute URL such as ${advice.example}`;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1];
  if (authority === undefined) return "must be written as https://host/path";
  if (authority.includes("@")) {
    return `must not hold a user name or password; ${advice.credentials}`;
  }
  if (authority.includes("%")) return "must not hold percent-encoding in its host name";
  if (advice.query === null) {
    return address.includes("#") ? "must not hold a fragment, which is never sent" : null;
  }
  return /[?#]/.test(address) ? `must not hold a query or fragment; ${advice.query}` : null;
}
