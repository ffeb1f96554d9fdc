/** What pages of the site have in the place of the service's host; no such host can exist (RFC 6761). */
const HOST = "service.assay.invalid";

/** What pages of the site have in the place of the service's address until they are served. */
export const UNKNOWN_ORIGIN = `https://${HOST}`;

/**
 * A page or feed with the address at which readers reach the service in the place of `UNKNOWN_ORIGIN`; a text without it,
 * such as an empty one, stays as it is.
 * @example withOrigin("curl https://service.assay.invalid/healthz", { origin: "http://localhost:8787", hostname: "localhost" }) // "curl http://localhost:8787/healthz"
 */
export const withOrigin = (text: string, service: { origin: string; hostname: string }): string =>
  // Ids in feeds contain only the host.
  text.includes(HOST)
    ? text.replaceAll(UNKNOWN_ORIGIN, service.origin).replaceAll(HOST, service.hostname)
    : text;
