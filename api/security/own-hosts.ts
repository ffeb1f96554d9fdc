import { getDomain } from "tldts";

/** Settings that decide which addresses the service may call. */
export interface CallRules {
  /** Whether private networks and the local machine, and therefore the service's own hosts, may be called. */
  allowPrivateEndpoints: boolean;
  /** Hosts of the service and its site. */
  ownHosts: readonly string[];
}

/**
 * The rules for an endpoint: for one behind a runner, the runner applies its own, because the service itself does not
 * call it.
 */
export const rulesFor = (
  { runner }: { runner?: string | undefined },
  rules: CallRules,
): CallRules => (runner === undefined ? rules : { allowPrivateEndpoints: true, ownHosts: [] });

/** Key of the cap on requests in flight; it includes the runner, because private networks reuse host names. */
export function calledOrigin(
  { baseUrl, runner }: { baseUrl: string; runner?: string | undefined },
  owner: string,
): string {
  const { origin } = new URL(baseUrl);
  return runner === undefined ? origin : `${origin} by ${owner}/${runner}`;
}

/**
 * The hosts in the variable OWN_HOSTS: separated by commas, with or without a port; `*` is any one label. Lower case;
 * empty for an empty text.
 * @example readOwnHosts("assay.example.com, Assay.LAN:8080") // ["assay.example.com", "assay.lan:8080"]
 */
export const readOwnHosts = (text: string): string[] =>
  text.split(",").flatMap((host) => host.trim().toLowerCase() || []);

/** Whether a host (with port) is one of the deployment's own. An own host without a port matches every port. */
export const isOwnHost = (host: string, ownHosts: readonly string[]): boolean =>
  ownHosts.some((own) => matches(host, own) || matches(withoutPort(host), own));

/**
 * The zone that a host shares with the service, or the host itself; null if it shares none. Within its own zone, a call
 * could bypass the protections of the origin. A zone is a registrable domain (Public Suffix List), on workers.dev an
 * account's subdomain. Hosts above and below the service's own are included.
 * @example ownZoneOf("models.example.com", ["assay.example.com"]) // "example.com"
 */
export function ownZoneOf(host: string, ownHosts: readonly string[]): string | null {
  const hosts = ownHosts.map(withoutPort);
  const own = hosts.find((one) => matches(host, one) || isBelow(host, one) || isBelow(one, host));
  if (own !== undefined) return own;
  const zone = zoneOf(host);
  return zone !== null && hosts.some((one) => zoneOf(one) === zone) ? zone : null;
}

const zoneOf = (host: string) => getDomain(host, { allowPrivateDomains: true });

const withoutPort = (host: string) => host.replace(/:\d+$/, "");

const isBelow = (host: string, above: string) => above !== "" && host.endsWith(`.${above}`);

function matches(host: string, own: string): boolean {
  const [labels, wanted] = [host.split("."), own.split(".")];
  return (
    labels.length === wanted.length && wanted.every((one, i) => one === "*" || one === labels[i])
  );
}
