import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

type Options = NonNullable<Parameters<typeof secureHeaders>[0]>;

/** A year: the least that browsers' preload lists take. Other names of the domain stay out of it. */
const HSTS = "max-age=31536000";

const none = ["'none'"];
const unused = { camera: [], geolocation: [], microphone: [], payment: [], usb: [] };

/** Headers that tell browsers to be strict, HSTS only where the request came over TLS. */
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

/** Data: any origin may read it, and opened by itself it may load and run nothing. */
export const dataHeaders = strict({
  crossOriginResourcePolicy: "cross-origin",
  contentSecurityPolicy: {
    defaultSrc: none,
    baseUri: none,
    formAction: none,
    frameAncestors: none,
  },
});

/** Badges: images, which any page may embed, in frames, too. */
export const badgeHeaders = strict({
  crossOriginResourcePolicy: "cross-origin",
  xFrameOptions: false,
  contentSecurityPolicy: { defaultSrc: none, baseUri: none, formAction: none, sandbox: [] },
});

/**
 * Pages. The site brings headers of its own (site/public/_headers), which stay; what comes without,
 * such as the page shown while the site is put in place, gets the strictest.
 */
export const pageHeaders = strict({
  overwrite: false,
  contentSecurityPolicy: {
    defaultSrc: none,
    baseUri: none,
    formAction: none,
    frameAncestors: none,
  },
});
