import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { bounds, holdsMoreValues } from "#shared/contracts/bounds.ts";
import type { Scope } from "#shared/contracts/keys/api-key.ts";
import { type Account, localAccount } from "../keys/account.ts";
import { placeBeyond, utf8Text } from "../security/json-depth.ts";
import { problem } from "./responses.ts";
import type { AppContext, AppEnv } from "./router.ts";

/** No body of the API is deeper than a dozen levels; validation and hashing recurse over parsed values. */
const MAX_DEPTH = 64;

/** Half of a Worker's memory holds the body as text, parsed and processed. */
const MAX_BODY_BYTES = bounds.bodyBytes;

/** Uploads of rows: many documents in one body, with various content types. */
const uploads = new Set(["/v1/datasets"]);

/** Rejects JSON with too much nesting or too many values before it is parsed. */
const limitJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  const isJson = jsonType.test(type) && c.req.raw.body !== null && !uploads.has(c.req.path);
  const text = isJson ? utf8Text(await c.req.arrayBuffer()) : "";
  if (text === null) {
    const detail = "nothing was done: the body is not UTF-8 text; send it in UTF-8, not compressed";
    return problem(c, "malformed-json", detail);
  }
  // The bytes are no longer needed.
  if (isJson) Object.assign(c.req, { bodyCache: { text: Promise.resolve(text) } });
  else await readFile(c);
  const place = placeBeyond(text, MAX_DEPTH);
  if (place !== null) {
    const detail = `arrays and objects are nested deeper than ${MAX_DEPTH} here; flatten them`;
    return problem(c, "invalid-request", "nothing was done: the body is nested too deeply", {
      errors: [{ pointer: place, detail }],
    });
  }
  if (holdsMoreValues(text, bounds.bodyValues)) {
    const detail = `the body contains more than ${bounds.bodyValues} values; split it`;
    return problem(c, "body-too-large", detail);
  }
  await next();
};

/** Reads a body that is not JSON, so that the route can use it. */
async function readFile({ req }: AppContext): Promise<void> {
  if (req.raw.body === null) return;
  const isForm = /^multipart\//i.test(req.header("content-type") ?? "");
  // The route reports what is wrong with a form.
  await (isForm ? req.parseBody().catch(() => null) : req.arrayBuffer());
}

/** Rights older than this are looked up again: the caller may have lost them while sending a body slowly. */
const FRESH_MS = 1_000;

const checkRightsAgain: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { platform, account, session, rightsAsOf } = c.var;
  if (account === null || account === localAccount) return next();
  if (platform.now() - rightsAsOf <= FRESH_MS) return next();
  if (await platform.accounts.stillMay(account, session, platform.now())) return next();
  const detail =
    "nothing was done: your rights changed while the body was under way; send the request again";
  return problem(c, "forbidden", detail);
};

const bodyUpTo = (maxSize: number): MiddlewareHandler<AppEnv> =>
  every(
    bodyLimit({
      maxSize,
      onError: (c) =>
        problem(c, "body-too-large", `send at most ${maxSize} bytes; split the upload`),
    }),
    limitJson,
    checkRightsAgain,
  );

/** Reads a body of bounded size, depth and number of values. */
export const readableBody = bodyUpTo(MAX_BODY_BYTES);

/** Maximum body of routes that accept one from anyone: text that a person types. */
const MAX_TYPED_BYTES = 16_384;
export const typedBody = bodyUpTo(MAX_TYPED_BYTES);

/**
 * Requires an account with one of the scopes, and reads the body only then: checks its size and depth. A route without
 * scopes takes no body.
 */
export function requireScope(...scopes: Scope[]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const account = c.get("account");
    if (account === null) return wantsKey(c);
    if (!scopes.some((scope) => account.scopes.includes(scope))) {
      const wanted = scopes.map((scope) => `"${scope}"`).join(" or ");
      const held = account.scopes.map((scope) => `"${scope}"`).join(", ");
      const detail = `this needs a key with the scope ${wanted}, but yours has ${held || "none"}: ask the operator for a key with that scope`;
      return problem(c, "forbidden", detail);
    }
    return readableBody(c, next);
  };
}

export function wantsKey(c: AppContext) {
  c.header("www-authenticate", 'Bearer realm="assay"');
  const given = c.req.header("authorization") !== undefined;
  const detail = given
    ? "this API key is unknown, expired or revoked"
    : `send an API key as \`Authorization: Bearer …\`; ${keySource(c)}`;
  return problem(c, "unauthorized", detail);
}

const keySource = (c: AppContext): string =>
  c.var.platform.identityProviders.length === 0
    ? "keys come from the operator"
    : "sign in at /account/ to make one";

/** The account of a request that passed `requireScope`. */
export function callerOf({ var: { account } }: AppContext): Account {
  if (account === null) throw new Error("requireScope lets nobody through without an account");
  return account;
}

const jsonType = /^application\/([a-z0-9.+-]+\+)?json\b/i;

/** Rejects bodies without a JSON content type. SDKs send it; curl needs a header. */
export const requireJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  if (!jsonType.test(type)) {
    const given = type === "" ? "without a content type" : `as ${type}`;
    const detail = `the body was sent ${given}; send JSON with the header content-type: application/json`;
    return problem(c, "unsupported-media-type", detail);
  }
  try {
    await c.req.json();
  } catch (error) {
    return problem(c, "malformed-json", `the body is not JSON: ${(error as Error).message}`);
  }
  await next();
};

/** The same for routes with an optional body. */
export const requireJsonIfAny: MiddlewareHandler<AppEnv> = async (c, next) => {
  if ((await c.req.text()) !== "") return requireJson(c, next);
  // No body counts as an empty object, with or without a content type, so that defaults apply.
  if (!c.req.header("content-type")) {
    const headers = { ...c.req.header(), "content-type": "application/json" };
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
  }
  Object.assign(c.req, { bodyCache: { text: Promise.resolve("{}") } });
  return requireJson(c, next);
};
