import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./api-app.ts";
import { problem } from "./problem-response.ts";

/** Lets only accounts with a scope through. */
export function requireScope(scope: "submit" | "admin"): MiddlewareHandler<AppEnv> {
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
    if (!account.scopes.includes(scope)) {
      return problem(c, "forbidden", `this key does not have the scope "${scope}"`);
    }
    await next();
  };
}
