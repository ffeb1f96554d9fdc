import * as oauth from "oauth4webapi";
import { z } from "zod";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { webAddress } from "#shared/contracts/text/web-address.ts";
import { printableName } from "#shared/contracts/text/well-formed.ts";
import { boundedBytes } from "../fetch-rows.ts";

/** Who signed in. `provider` and `subject` are permanent and identify the person; `login` may change hands. */
export interface Identity {
  provider: string;
  subject: string;
  login: string;
  name: string | null;
  avatarUrl: string | null;
}

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
  /** Whether `iss` in replies is ignored, because the provider does not document it. */
  ignoresIssuer: boolean;
  usesNonce: boolean;
  server(options: CallOptions): Promise<oauth.AuthorizationServer>;
  identity(exchanged: Exchanged, options: CallOptions): Promise<Omit<Identity, "provider">>;
}

/** The token reply, and the facts of its request. */
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

/** A name for display; null if there is none. */
function shownName(name: unknown): string | null {
  if (typeof name !== "string") return null;
  return printableName(cutText(name, bounds.name)) || null;
}

const httpsAddress = webAddress("must be an https address", /^https$/);

/** The address of a picture; null unless pages may link to it. */
const shownAddress = (url: unknown): string | null => httpsAddress.safeParse(url).data ?? null;

/** How long a provider's metadata is cached: its addresses rarely change. */
const DESCRIBED_MS = 3_600_000;

/** Any OpenID provider, found by its issuer (OpenID Connect Discovery 1.0). */
export function openId(issuer: string, label: string, now: () => number): Dialect {
  let described: { server: oauth.AuthorizationServer; until: number } | null = null;
  return {
    id: "openid",
    label: label || new URL(issuer).host,
    issuer,
    scope: "openid profile",
    ignoresIssuer: false,
    usesNonce: true,
    async server(options) {
      if (described !== null && described.until > now()) return described.server;
      const at = new URL(issuer);
      const response = await oauth.discoveryRequest(at, { ...options, algorithm: "oidc" });
      const server = await oauth.processDiscoveryResponse(at, response);
      described = { server, until: now() + DESCRIBED_MS };
      return server;
    },
    async identity({ server, client, token }, options) {
      // The token came from the provider itself over TLS, which replaces its signature (OpenID Connect Core, 3.1.3.7).
      const claims = oauth.getValidatedIdTokenClaims(token);
      if (claims === undefined) throw new Error("no ID token");
      const { sub } = claims;
      const asksMore = server.userinfo_endpoint !== undefined;
      const more = asksMore
        ? await oauth.userInfoRequest(server, client, token.access_token, options)
        : null;
      const profile = more && (await oauth.processUserInfoResponse(server, client, sub, more));
      const { preferred_username, nickname, name, picture } = { ...claims, ...profile };
      return {
        subject: sub,
        login: shownName(preferred_username) ?? shownName(nickname) ?? shownName(name) ?? "",
        name: shownName(name),
        avatarUrl: shownAddress(picture),
      };
    },
  };
}

const userSchema = z.object({
  id: z.int().positive(),
  login: z.string().min(1).max(bounds.name),
  name: z.unknown(),
  avatar_url: z.unknown(),
});

/** GitHub, or a GitHub Enterprise Server at another address. Source: docs.github.com, apps/oauth-apps. */
export function gitHub(url: string): Dialect {
  const issuer = new URL(url).origin;
  const isGitHub = issuer === "https://github.com";
  const user = new URL(isGitHub ? "https://api.github.com/user" : `${issuer}/api/v3/user`);
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
  return {
    id: "github",
    label: "GitHub",
    issuer,
    // The public profile is enough.
    scope: "",
    ignoresIssuer: true,
    usesNonce: false,
    server: async () => server,
    async identity({ token }, options) {
      const headers = new Headers({ accept: "application/vnd.github+json" });
      const { access_token } = token;
      const response = await oauth.protectedResourceRequest(
        access_token,
        "GET",
        user,
        headers,
        null,
        options,
      );
      const { id, login, name, avatar_url } = userSchema.parse(await response.json());
      return {
        subject: `${id}`,
        login,
        name: shownName(name),
        avatarUrl: shownAddress(avatar_url),
      };
    },
  };
}
