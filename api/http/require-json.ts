import type { MiddlewareHandler } from "hono";
import { problem } from "./problem-response.ts";
import type { AppEnv } from "./router.ts";

export const jsonType = /^application\/([a-z0-9.+-]+\+)?json\b/i;

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
