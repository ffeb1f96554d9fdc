import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./api-app.ts";
import { problem } from "./problem-response.ts";

const jsonType = /^application\/([a-z0-9.+-]+\+)?json\b/i;

/** Refuses bodies that don't say they are JSON: the SDKs do, curl needs a header. */
export const requireJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  if (c.req.method === "POST" && !jsonType.test(type)) {
    const given = type === "" ? "without a content type" : `as ${type}`;
    const detail = `the body came ${given}; send JSON with the header content-type: application/json`;
    return problem(c, "unsupported-media-type", detail);
  }
  if (c.req.method === "POST") {
    try {
      await c.req.json();
    } catch (error) {
      return problem(c, "malformed-json", `the body is not JSON: ${(error as Error).message}`);
    }
  }
  await next();
};
