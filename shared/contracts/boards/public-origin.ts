/** Placeholder for the service's host in pages of the site. Hosts under `.invalid` never exist (RFC 6761). */
const HOST = "service.assay.invalid";

/** Placeholder for the service's address in pages of the site, until they are served. */
export const UNKNOWN_ORIGIN = `https://${HOST}`;

/**
 * Replaces `UNKNOWN_ORIGIN` in a page or feed by the address at which readers reach the service. A text without it,
 * such as an empty one, is unchanged.
 * @example withOrigin("curl https://service.assay.invalid/healthz", { origin: "http://localhost:8787", hostname: "localhost" }) // "curl http://localhost:8787/healthz"
 */
export const withOrigin = (text: string, service: { origin: string; hostname: string }): string =>
  // Ids in feeds contain the host without the scheme.
  text.includes(HOST)
    ? text.replaceAll(UNKNOWN_ORIGIN, service.origin).replaceAll(HOST, service.hostname)
    : text;
