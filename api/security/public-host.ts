import ipaddr from "ipaddr.js";
import { parse } from "tldts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Metadata services of clouds, which return credentials. Addresses in 169.254/16 are covered by their range; these are
 * the others (Azure, Alibaba, Oracle, Volcengine, UCloud; over IPv6 AWS, Google, Linode, Scaleway) and the names.
 */
const metadataHosts = new Set([
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "100.96.0.96",
  "100.80.80.80",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:a9fe:a9fe::1",
  "fd00:42::42",
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.azure.internal",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "api.metadata.cloud.ibm.com",
  "rancher-metadata",
  "rancher-metadata.rancher.internal",
  "metadata.packet.net",
  "metadata.platformequinix.com",
]);

/** Clouds use names below their own `internal`, such as `metadata.c.my-project.internal`. */
const metadataName = /^(metadata|instance-data|rancher-metadata)\.([a-z0-9-]+\.)*internal$/;

/** Names that are never public (RFC 6761, 6762, 7686, 8375, 9476, ICANN). */
const privateNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|test|invalid|onion|alt|arpa)$/;

/** Globally routed IPv6 (RFC 4291, 2.4). */
const globalV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Ranges that are allowed, besides public addresses, if private endpoints are. */
const ownRanges = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat", "unspecified"]);

/**
 * Why a host may not be called, as a predicate for an error message; null if it may. `host`: from the URL parser (lower
 * case, addresses in canonical form, IPv6 without brackets).
 */
export function hostProblem(host: string, allowPrivate: boolean): string | null {
  if (metadataHosts.has(host) || metadataName.test(host)) return keepsCredentials;
  if (ipaddr.isValid(host)) return addressProblem(ipaddr.process(host), allowPrivate);
  const inName = allowPrivate ? null : nameProblem(host);
  if (inName !== null) return inName;
  const closed = addressesIn(host).find(
    (address) => addressProblem(address, allowPrivate) !== null,
  );
  return closed === undefined ? null : `encodes ${closed}, which may not be called`;
}

const keepsCredentials = "is an address of a cloud's instance metadata, which has credentials";

function addressProblem(address: Address, allowPrivate: boolean): string | null {
  if (metadataHosts.has(address.toString())) return keepsCredentials;
  const range = address.range();
  if (allowPrivate && ownRanges.has(range)) return null;
  if (range !== "unicast") return `is not a public address (${range})`;
  if (address instanceof ipaddr.IPv4 || address.match(globalV6)) return null;
  return "is not a public address (not in 2000::/3)";
}

function nameProblem(host: string): string | null {
  if (!host.includes(".")) return "is a name of a local network";
  if (privateNames.test(host)) return "is a name of a local or special network";
  if (!parse(host, nameParts).isIcann) {
    const last = host.slice(host.lastIndexOf(".") + 1);
    return `is a name of a local network: there is no top-level domain "${last}"`;
  }
  if (isLoopbackDomain(host)) return "points to the calling machine itself";
  return isMirrorDomain(host) && addressesIn(host).length === 0 ? "encodes no address" : null;
}

/** Options for a host from a parsed URL. Names outside of the Public Suffix List exist only in local resolvers. */
const nameParts = { extractHostname: false, validateHostname: false };

/** Domains that resolve to the calling machine or, alternately, to any address (DNS rebinding). */
const loopbackDomains =
  /(^|\.)(localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|localho\.st|yoogle\.com|fuf\.me|rbndr\.us|1u\.ms)$/;

/** Domains whose names resolve to the address written in them. */
const mirrorDomains =
  /\.(nip\.io|sslip\.io|xip\.io|traefik\.me|local-ip\.co|local-ip\.sh|backname\.io)$/;

/** A lookahead, so that it matches at every position: of five numbers, the last four may be the address. */
const dotted = /(?<![0-9a-z])(?=(\d{1,3}([.-])\d{1,3}\2\d{1,3}\2\d{1,3})(?![0-9a-z]))/g;
const hexadecimal = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g;

/**
 * The IPv4 and IPv6 addresses in a host name, as in `10-0-0-1.nip.io`. For known domains of this kind, also in
 * hexadecimal and IPv6 notation.
 * @example addressesIn("app-7f000001.nip.io") // [127.0.0.1]
 */
function addressesIn(host: string): (ipaddr.IPv4 | ipaddr.IPv6)[] {
  const spelled = [...host.matchAll(dotted)].map(([, text = ""]) => text.replaceAll("-", "."));
  const found = spelled.filter((text) => ipaddr.IPv4.isValid(text)).map(readDecimal);
  if (!mirrorDomains.test(host)) return found;
  const hex = [...host.matchAll(hexadecimal)].map(([text]) => ipaddr.parse(`0x${text}`));
  const labels = host.split(".").map((label) => label.replaceAll("-", ":"));
  const six = labels.filter((label) => label.includes(":") && ipaddr.IPv6.isValid(label));
  return [...found, ...hex, ...six.map((label) => ipaddr.IPv6.parse(label))];
}

/** Whether a name leads to the machine that asks, or is the unspecified address. */
const isLoopbackDomain = (host: string): boolean => loopbackDomains.test(host);

/** Whether a name leads to an address spelled out in it. */
const isMirrorDomain = (host: string): boolean => mirrorDomains.test(host);

/** Reads numbers as decimal: "010" is decimal in a name, but octal in an address. */
const readDecimal = (text: string) => new ipaddr.IPv4(text.split(".").map(Number));
