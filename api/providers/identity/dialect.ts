import * as oauth from "oauth4webapi";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { webAddress } from "#shared/contracts/text/web-address.ts";
import { printableName } from "#shared/contracts/text/well-formed.ts";
import { boundedBytes } from "../fetch-rows.ts";

/** Who signed in. `provider` and `subject` are permanent and identify the person; `login` may change hands. */
export interface Identity {
  /** Key of the provider. */
  provider: string;
  subject: string;
  login: string;
  name: string | null;
  avatarUrl: string | null;
}

/** Options of each call of the library. */
export interface CallOptions {
  [oauth.customFetch]: typeof boundedFetch;
  [oauth.allowInsecureRequests]: boolean;
}

/** What differs between providers. */
export interface Dialect {
  id: string;
  label: string;
  issuer: string;
  scope: string;
  /** Whether an `iss` in replies is not read, because the provider does not document it. */
  ignoresIssuer: boolean;
  usesNonce: boolean;
  server(options: CallOptions): Promise<oauth.AuthorizationServer>;
  identity(exchanged: Exchanged, options: CallOptions): Promise<Omit<Identity, "provider">>;
}

/** What a code was exchanged for, and where. */
interface Exchanged {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  token: oauth.TokenEndpointResponse;
}

const TIMEOUT_MS = 10_000;
/** Far larger than a profile or the description of a provider. */
const MAX_BYTES = 256 * 1024;

/** A call to a provider: bounded in time and size; redirects are not followed. */
export async function boundedFetch(
  url: string,
  { body = null, ...options }: oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>,
): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("user-agent", "assay");
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...options, body, headers, signal });
  const bytes = await boundedBytes(response.body, signal, MAX_BYTES);
  return new Response(bytes as Uint8Array<ArrayBuffer>, response);
}

/** A name as pages show it; null if there is none. */
export function shownName(name: unknown): string | null {
  if (typeof name !== "string") return null;
  return printableName(cutText(name, bounds.name)) || null;
}

const httpsAddress = webAddress("must be an https address", /^https$/);

/** The address of a picture; null unless pages may link to it. */
export const shownAddress = (url: unknown): string | null =>
  httpsAddress.safeParse(url).data ?? null;
