import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

type Options = NonNullable<Parameters<typeof secureHeaders>[0]>;

/** One year, the minimum for browsers' preload lists. Without subdomains. */
const HSTS = "max-age=31536000";

const none = ["'none'"];
const unused = { camera: [], geolocation: [], microphone: [], payment: [], usb: [] };

/** Strict security headers; HSTS only if the request used TLS. */
function strict(options: Options): MiddlewareHandler {
  const shared = {
    referrerPolicy: "strict-origin-when-cross-origin",
    xFrameOptions: "DENY",
    permissionsPolicy: unused,
    ...options,
  };
  const plain = secureHeaders({ ...shared, strictTransportSecurity: false });
  const overTls = secureHeaders({ ...shared, strictTransportSecurity: HSTS });
  return (c, next) => (c.req.url.startsWith("https:") ? overTls : plain)(c, next);
}

/** Data: readable from any origin. Opened directly, it may load and run nothing. */
export const dataHeaders = strict({
  crossOriginResourcePolicy: "cross-origin",
  contentSecurityPolicy: {
    defaultSrc: none,
    baseUri: none,
    formAction: none,
    frameAncestors: none,
  },
});

/** Badges: images that any page may embed, also in frames. */
export const badgeHeaders = strict({
  crossOriginResourcePolicy: "cross-origin",
  xFrameOptions: false,
  contentSecurityPolicy: { defaultSrc: none, baseUri: none, formAction: none, sandbox: [] },
});

const strictPages = strict({
  overwrite: false,
  contentSecurityPolicy: {
    defaultSrc: none,
    baseUri: none,
    formAction: none,
    frameAncestors: none,
  },
});

/**
 * Pages. Headers of the site's files (site/public/_headers) take precedence; other pages, such as the one shown during
 * a site deployment, get the strictest. Pages that others may embed in frames get no X-Frame-Options, which old
 * browsers would obey instead.
 */
export const pageHeaders: MiddlewareHandler = async (c, next) => {
  await strictPages(c, next);
  const policy = c.res.headers.get("content-security-policy") ?? "";
  if (policy.includes("frame-ancestors *")) c.res.headers.delete("x-frame-options");
};
