import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { Scope } from "#shared/contracts/api-key.ts";
import { bounds } from "#shared/contracts/bounds.ts";
import { problem } from "./problem-response.ts";
import { limitDepth } from "./require-json.ts";
import type { AppEnv } from "./router.ts";

/** Half a Worker's memory holds the body as text, parsed, and what is made of it. */
const MAX_BODY_BYTES = bounds.bodyBytes;

const readableBody = every(
  bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) =>
      problem(c, "body-too-large", `send at most ${MAX_BODY_BYTES} bytes; split the upload`),
  }),
  limitDepth,
);

/**
 * Lets only accounts with one of the scopes through, and only then reads the body: its size and depth are checked
 * here. A route without a scope takes no body.
 */
export function requireScope(...scopes: Scope[]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const account = c.get("account");
    if (account === null) {
      c.header("www-authenticate", 'Bearer realm="assay"');
      const given = c.req.header("authorization") !== undefined;
      const detail = given
        ? "this API key is not known here, or has expired or been revoked"
        : "send an API key as `Authorization: Bearer …`; keys come from the operator";
      return problem(c, "unauthorized", detail);
    }
    if (!scopes.some((scope) => account.scopes.includes(scope))) {
      const wanted = scopes.map((scope) => `"${scope}"`).join(" or ");
      const held = account.scopes.map((scope) => `"${scope}"`).join(", ");
      const detail = `this wants a key with the scope ${wanted}, and yours has ${held || "none"}: ask the operator for one that has it`;
      return problem(c, "forbidden", detail);
    }
    return readableBody(c, next);
  };
}
