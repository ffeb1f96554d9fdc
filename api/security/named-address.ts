import ipaddr from "ipaddr.js";

/** Domains that only lead to the machine that asks, or to whatever a caller wishes, by turns. */
const loopbackDomains =
  /(^|\.)(localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|localho\.st|yoogle\.com|fuf\.me|rbndr\.us|1u\.ms)$/;

/** Domains under which every name leads to the address written in it. */
const mirrorDomains =
  /\.(nip\.io|sslip\.io|xip\.io|traefik\.me|local-ip\.co|local-ip\.sh|backname\.io)$/;

/** Found from every place, since of five numbers in a row the last four may be the address. */
const dotted = /(?<![0-9a-z])(?=(\d{1,3}([.-])\d{1,3}\2\d{1,3}\2\d{1,3})(?![0-9a-z]))/g;
const hexadecimal = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g;

/**
 * The IPv4 and IPv6 addresses that a host name spells out, as `10-0-0-1.nip.io` does. Under the
 * domains known to lead there, hexadecimal and IPv6 spellings count, too.
 * @example addressesIn("app-7f000001.nip.io") // [127.0.0.1]
 */
export function addressesIn(host: string): (ipaddr.IPv4 | ipaddr.IPv6)[] {
  const spelled = [...host.matchAll(dotted)].map(([, text = ""]) => text.replaceAll("-", "."));
  const found = spelled.filter((text) => ipaddr.IPv4.isValid(text)).map(readDecimal);
  if (!mirrorDomains.test(host)) return found;
  const hex = [...host.matchAll(hexadecimal)].map(([text]) => ipaddr.parse(`0x${text}`));
  const labels = host.split(".").map((label) => label.replaceAll("-", ":"));
  const six = labels.filter((label) => label.includes(":") && ipaddr.IPv6.isValid(label));
  return [...found, ...hex, ...six.map((label) => ipaddr.IPv6.parse(label))];
}

/** Whether a name leads to the machine that asks, or stands for no address in particular. */
export const isLoopbackDomain = (host: string): boolean => loopbackDomains.test(host);

/** Whether a name leads to an address spelled out in it. */
export const isMirrorDomain = (host: string): boolean => mirrorDomains.test(host);

/** "010" is ten in a name, though eight in an address. */
const readDecimal = (text: string) => new ipaddr.IPv4(text.split(".").map(Number));
