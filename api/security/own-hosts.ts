import { getDomain } from "tldts";

/** What a deployment may call: its settings, as far as they say so. */
export interface CallRules {
  /** Whether addresses of its machine and of private networks may be called, and so its own, too. */
  allowPrivateEndpoints: boolean;
  /** Hosts of the service and its site. */
  ownHosts: readonly string[];
}

/**
 * The hosts of a deployment, as its variable OWN_HOSTS names them: separated by commas, with or without a port; `*` is
 * any one label. Lower case; empty for an empty text.
 * @example readOwnHosts("assay.example.com, Assay.LAN:8080") // ["assay.example.com", "assay.lan:8080"]
 */
export const readOwnHosts = (text: string): string[] =>
  text.split(",").flatMap((host) => host.trim().toLowerCase() || []);

/** Whether a host, with its port, is one of a deployment's own; a host named without a port matches every port. */
export const isOwnHost = (host: string, ownHosts: readonly string[]): boolean =>
  ownHosts.some((own) => matches(host, own) || matches(withoutPort(host), own));

/**
 * The zone that a host shares with the service, or the host itself; null where it shares none. In the service's own
 * zone a call could go past what guards it, straight to what is behind. A zone is what can be registered (Public
 * Suffix List), on workers.dev an account's subdomain; hosts above and below the service's are of its zone as well.
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
