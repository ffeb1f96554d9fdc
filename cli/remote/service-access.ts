import { BadInput } from "../errors.ts";
import { refuseForeignAddress } from "./env-file.ts";

/** Address of `npm start`. */
export const LOCAL_SERVICE = "http://localhost:8787";

/** Environment variable of the API key: a flag would be visible in process lists. */
export const KEY_VARIABLE = "ASSAY_API_KEY";

/** Address and key of a service. */
export interface ServiceAccess {
  origin: string;
  /** Null: calls without a key. */
  apiKey: string | null;
}

/**
 * Throws BadInput if the address is invalid or the key can't be sent there. `source`: origin of the address;
 * `variable`: origin of the key.
 */
export function serviceAccess(
  url: string,
  key: string | undefined,
  source = "--server",
  variable = KEY_VARIABLE,
): ServiceAccess {
  const { origin } = parsedUrl(url, source);
  const apiKey = key?.trim() || null;
  if (apiKey === null) return { origin, apiKey };
  refuseForeignAddress(source, variable);
  // Checked here, because fetch's error for an invalid header quotes the header.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new BadInput(`${variable} contains characters that are invalid in an API key`);
  }
  if (isUnencrypted(origin)) {
    const advice = "give its address with https, or unset the variable";
    throw new BadInput(`${variable} could be read in transit to ${origin}: ${advice}`);
  }
  return { origin, apiKey };
}

function parsedUrl(given: string, source: string): URL {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url;
  // Text before an @ may be a password and is not printed.
  if (given.includes("@")) {
    throw new BadInput(
      `${source} must not contain a user name or password: remove them, and put an API key into ${KEY_VARIABLE}`,
    );
  }
  throw new BadInput(
    `${source} must be the address of a service without a path, such as ${LOCAL_SERVICE}, not "${given}"`,
  );
}

/** Whether requests to an address can be read in transit. */
export function isUnencrypted(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !isThisMachine(hostname);
}

/** Whether a host name always means this machine. */
export const isThisMachine = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
