/** A person's account at the provider. */
export interface Person {
  id: number;
  login: string;
  name?: string | null;
  avatar?: string;
}

interface Code {
  person: Person;
  challenge: string;
  redirectUri: string;
  nonce: string | null;
  until: number;
}

const CODE_MS = 600_000;
const CLIENT = { id: "a client", secret: "a client's secret" };

/** Settings of a service that signs in at the provider. */
export const standInSettings = (origin: string) => ({
  GITHUB_URL: origin,
  GITHUB_CLIENT_ID: CLIENT.id,
  GITHUB_CLIENT_SECRET: CLIENT.secret,
  OPENID_ISSUER: origin,
  OPENID_NAME: "Acme",
  OPENID_CLIENT_ID: CLIENT.id,
  OPENID_CLIENT_SECRET: CLIENT.secret,
});

/**
 * A stand-in for GitHub (Enterprise Server) and an OpenID provider at one origin, with PKCE and codes that expire and are
 * accepted once. `state.person`: the person who signs in; null: a person who denies access.
 */
export function standInProvider(
  origin: string,
  service: string,
  now: () => number = () => Date.now(),
) {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, Person>();
  const state = {
    person: null as Person | null,
    /** Additional parameters of replies, such as a wrong `iss` or `nonce`. */
    reply: {} as Record<string, string>,
    claims: {} as Record<string, unknown>,
  };

  function authorize(query: URLSearchParams): Response {
    const redirectUri = query.get("redirect_uri") ?? "";
    const isKnown = query.get("client_id") === CLIENT.id && redirectUri.startsWith(`${service}/`);
    if (!isKnown) return new Response("this application is not known here", { status: 400 });
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (state.person === null) back.searchParams.set("error", "access_denied");
    else {
      const code = crypto.randomUUID();
      codes.set(code, {
        person: state.person,
        challenge: query.get("code_challenge") ?? "",
        redirectUri,
        nonce: query.get("nonce"),
        until: now() + CODE_MS,
      });
      back.searchParams.set("code", code);
    }
    for (const [name, value] of Object.entries(state.reply)) back.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async function exchange(form: URLSearchParams, secret: string | null): Promise<Code | string> {
    const sent = form.get("code") ?? "";
    const code = codes.get(sent);
    codes.delete(sent);
    if (secret !== CLIENT.secret) return "invalid_client";
    const isValid =
      code !== undefined &&
      code.until > now() &&
      code.redirectUri === form.get("redirect_uri") &&
      code.challenge === (await challengeOf(form.get("code_verifier") ?? ""));
    return isValid ? code : "invalid_grant";
  }

  function tokenFor(person: Person): string {
    const token = crypto.randomUUID();
    tokens.set(token, person);
    return token;
  }

  const bearer = (request: Request) =>
    tokens.get((request.headers.get("authorization") ?? "").replace(/^bearer /i, ""));

  const routes: Record<string, (request: Request) => Response | Promise<Response>> = {
    "/login/oauth/authorize": ({ url }) => authorize(new URL(url).searchParams),
    "/authorize": ({ url }) => authorize(new URL(url).searchParams),
    async "/login/oauth/access_token"(request) {
      const form = await formOf(request);
      const code = await exchange(form, form.get("client_secret"));
      // GitHub sends errors with status 200.
      if (typeof code === "string") return Response.json({ error: "bad_verification_code" });
      const access_token = tokenFor(code.person);
      return Response.json({ access_token, token_type: "bearer", scope: "" });
    },
    "/api/v3/user"(request) {
      const person = bearer(request);
      const isUsed = person !== undefined && request.headers.get("user-agent") !== null;
      if (!isUsed) return Response.json({ message: "Bad credentials" }, { status: 401 });
      const { id, login, name = null, avatar = "" } = person;
      return Response.json({ id, login, name, avatar_url: avatar });
    },
    "/.well-known/openid-configuration": () =>
      Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        userinfo_endpoint: `${origin}/userinfo`,
        id_token_signing_alg_values_supported: ["ES256"],
      }),
    async "/token"(request) {
      const [, basic = ""] = (request.headers.get("authorization") ?? "").split(" ");
      const [, secret = ""] = atob(basic).split(":");
      const form = await formOf(request);
      const code = await exchange(form, decodeURIComponent(secret.replaceAll("+", " ")));
      if (typeof code === "string") return Response.json({ error: code }, { status: 400 });
      const at = Math.floor(Date.now() / 1_000);
      const claims = { iss: origin, aud: CLIENT.id, iat: at, exp: at + 300, nonce: code.nonce };
      return Response.json({
        access_token: tokenFor(code.person),
        token_type: "Bearer",
        id_token: await jwt({ ...claims, sub: `${code.person.id}`, ...state.claims }),
      });
    },
    "/userinfo"(request) {
      const person = bearer(request);
      if (person === undefined) return new Response(null, { status: 401 });
      const { id, login, name, avatar } = person;
      return Response.json({ sub: `${id}`, preferred_username: login, name, picture: avatar });
    },
  };

  return {
    origin,
    state,
    async answer(request: Request): Promise<Response> {
      const route = routes[new URL(request.url).pathname];
      return route === undefined ? new Response(null, { status: 404 }) : route(request);
    },
  };
}

const formOf = async (request: Request) =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));

const encoded = (bytes: Uint8Array | string): string =>
  btoa(typeof bytes === "string" ? bytes : String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return encoded(new Uint8Array(hash));
}

async function jwt(claims: object): Promise<string> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { privateKey } = (await crypto.subtle.generateKey(algorithm, false, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const content = [{ alg: "ES256" }, claims].map((part) => encoded(JSON.stringify(part))).join(".");
  const bytes = new TextEncoder().encode(content);
  const signature = await crypto.subtle.sign(algorithm, privateKey, bytes);
  return `${content}.${encoded(new Uint8Array(signature))}`;
}
