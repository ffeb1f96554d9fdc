import * as oauth from "oauth4webapi";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { logProblem } from "../../platform/log.ts";
import {
  boundedFetch,
  type CallOptions,
  type Dialect,
  gitHub,
  type Identity,
  openId,
} from "./dialect.ts";

/** Values of a started sign-in that its end must match. */
export interface SignInChecks {
  state: string;
  verifier: string;
  nonce: string;
}

/** Why nobody was signed in: the person declined, the reply belongs to another sign-in, or the provider failed. */
export interface SignInRefusal {
  kind: "denied" | "invalid" | "unavailable";
  detail: string;
}

/** An identity provider, used by the authorization code flow with state and PKCE (RFC 6749, 7636, 9700). */
export interface IdentityProvider {
  id: string;
  /** Id and issuer; subjects are unique within one key. */
  key: string;
  label: string;
  /** Address at the provider that the browser opens. */
  start(redirectUri: string, checks: SignInChecks): Promise<Result<URL, SignInRefusal>>;
  /** `reply`: the query with which the provider redirected the browser back. */
  finish(
    reply: URLSearchParams,
    redirectUri: string,
    checks: SignInChecks,
  ): Promise<Result<Identity, SignInRefusal>>;
}

interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Settings of the providers; a provider without client id and secret is disabled. */
export interface ProviderSettings {
  github: Credentials & { url: string };
  openid: Credentials & { issuer: string; label: string };
  /** Whether providers on this machine may be called without TLS, for development and tests. */
  allowHttp: boolean;
  now: () => number;
}

/** The providers that are set up. */
export function identityProviders(settings: ProviderSettings): IdentityProvider[] {
  const { github, openid, allowHttp, now } = settings;
  const isSet = ({ clientId, clientSecret }: Credentials) => clientId !== "" && clientSecret !== "";
  const providers: IdentityProvider[] = [];
  if (isSet(github)) providers.push(codeFlow(gitHub(github.url), github, allowHttp));
  if (isSet(openid) && openid.issuer !== "") {
    providers.push(codeFlow(openId(openid.issuer, openid.label, now), openid, allowHttp));
  }
  return providers;
}

function codeFlow(
  dialect: Dialect,
  { clientId, clientSecret }: Credentials,
  allowHttp: boolean,
): IdentityProvider {
  const { id, label, issuer, scope, usesNonce } = dialect;
  const client: oauth.Client = { client_id: clientId };
  const options: CallOptions = {
    [oauth.customFetch]: boundedFetch,
    [oauth.allowInsecureRequests]: allowHttp,
  };
  const key = `${id}:${issuer}`;
  return {
    id,
    key,
    label,
    start: (redirectUri, { state, verifier, nonce }) =>
      tried(label, async () => {
        const { authorization_endpoint = "" } = await dialect.server(options);
        const url = new URL(authorization_endpoint);
        const query = {
          response_type: "code",
          client_id: clientId,
          redirect_uri: redirectUri,
          scope,
          state,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          ...(usesNonce && { nonce }),
        };
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        return url;
      }),
    finish: (reply, redirectUri, { state, verifier, nonce }) =>
      tried(label, async () => {
        const server = await dialect.server(options);
        const given = new URLSearchParams(reply);
        if (dialect.ignoresIssuer) given.delete("iss");
        const valid = oauth.validateAuthResponse(server, client, given, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication(server, clientSecret),
          valid,
          redirectUri,
          verifier,
          options,
        );
        const expected = usesNonce ? { expectedNonce: nonce, requireIdToken: true } : {};
        const token = await oauth.processAuthorizationCodeResponse(
          server,
          client,
          response,
          expected,
        );
        const identity = await dialect.identity({ server, client, token }, options);
        return { provider: key, ...identity };
      }),
  };
}

/** Sends the secret in a header, unless the provider accepts it only in bodies. */
function authentication(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

async function tried<T>(label: string, step: () => Promise<T>): Promise<Result<T, SignInRefusal>> {
  try {
    return ok(await step());
  } catch (error) {
    return err(refusalOf(label, error));
  }
}

/** Errors of the library contain replies, which may contain tokens: only the kind is logged. */
function refusalOf(label: string, error: unknown): SignInRefusal {
  const { name, code } = error as Partial<Error & { code: string }>;
  logProblem("sign-in-failed", { provider: label, error: name, code });
  if (error instanceof oauth.AuthorizationResponseError) {
    return error.error === "access_denied"
      ? { kind: "denied", detail: `the sign-in was cancelled at ${label}` }
      : { kind: "invalid", detail: `${label} refused the sign-in: try again, or ask the operator` };
  }
  const isInvalid =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.OperationProcessingError;
  return isInvalid
    ? { kind: "invalid", detail: `${label} did not confirm this sign-in: sign in again` }
    : { kind: "unavailable", detail: `${label} could not be reached: try again later` };
}
