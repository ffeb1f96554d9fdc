import * as oauth from "oauth4webapi";
import { type Dialect, shownAddress, shownName } from "./dialect.ts";

/** How long a provider's description is used: its addresses rarely change. */
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
