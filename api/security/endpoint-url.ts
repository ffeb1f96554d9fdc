import ipaddr from "ipaddr.js";

/**
 * Why an endpoint's address may not be called; null when it may. The URL parser has already turned
 * decimal, octal and hexadecimal IPv4 forms into dotted ones and lower-cased the host.
 */
export function endpointUrlProblem(address: string, allowPrivate: boolean): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return "is not an absolute URL";
  if (url.username !== "" || url.password !== "") {
    return "must not hold a user name or password; give the key as apiKey";
  }
  if (allowPrivate) return /^https?:$/.test(url.protocol) ? null : "must be http or https";
  if (url.protocol !== "https:") return "must be https";
  return isPublicHost(url.hostname) ? null : "must be a public host name or address";
}

/** Names that never leave the machine or its network (RFC 6761, RFC 6762, RFC 8375). */
const privateNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|test|invalid)$/;

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !privateNames.test(host);
}
