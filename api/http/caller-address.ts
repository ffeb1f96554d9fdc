import ipaddr from "ipaddr.js";

/** Groups of an IPv6 address that name a network: whoever has one address has all of its /64. */
const NETWORK_GROUPS = 4;

/**
 * Whom an address belongs to, for counting: an IPv4 address, or the /64 network of an IPv6 address.
 * `local` without an address, as on one's own machine.
 * @example callerAddress("2001:db8::1") // "2001:db8:0:0"
 */
export function callerAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "local";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return parsed.toNormalizedString().split(":").slice(0, NETWORK_GROUPS).join(":");
}
