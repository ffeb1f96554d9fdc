import * as oauth from "oauth4webapi";
import { z } from "zod";
import { bounds } from "#shared/contracts/bounds.ts";
import { type Dialect, shownAddress, shownName } from "./dialect.ts";

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
