import type { MiddlewareHandler } from "hono";
import { placeBeyond } from "../security/json-depth.ts";
import { problem } from "./problem-response.ts";
import type { AppEnv } from "./router.ts";

const jsonType = /^application\/([a-z0-9.+-]+\+)?json\b/i;

const writing = new Set(["POST", "PATCH"]);

/** Refuses bodies that don't say they are JSON: the SDKs do, curl needs a header. */
export const requireJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  if (!writing.has(c.req.method)) return next();
  if (!jsonType.test(type)) {
    const given = type === "" ? "without a content type" : `as ${type}`;
    const detail = `the body came ${given}; send JSON with the header content-type: application/json`;
    return problem(c, "unsupported-media-type", detail);
  }
  try {
    await c.req.json();
  } catch (error) {
    return problem(c, "malformed-json", `the body is not JSON: ${(error as Error).message}`);
  }
  await next();
};

/** The same for routes whose body may be left out. */
export const requireJsonIfAny: MiddlewareHandler<AppEnv> = async (c, next) => {
  if ((await c.req.text()) !== "") return requireJson(c, next);
  // Clients that always say they send JSON mean the same by nothing at all.
  const isTyped = c.req.header("content-type") !== undefined;
  if (isTyped) Object.assign(c.req.bodyCache, { text: Promise.resolve("{}") });
  await next();
};

/** No body of the API is deeper than a dozen; validation and hashing recurse over what is parsed. */
const MAX_DEPTH = 64;

/** Uploads of rows: many documents in one body, whatever their content type says. */
const uploads = new Set(["/v1/datasets"]);

/** Refuses JSON that is nested too deeply, before anything parses it. */
export const limitDepth: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  const isJson = jsonType.test(type) && c.req.raw.body !== null && !uploads.has(c.req.path);
  const place = isJson ? placeBeyond(await c.req.text(), MAX_DEPTH) : null;
  if (place !== null) {
    const detail = `arrays and objects are nested deeper than ${MAX_DEPTH} here; flatten them`;
    return problem(c, "invalid-request", "nothing was done: the body is nested too deeply", {
      errors: [{ pointer: place, detail }],
    });
  }
  await next();
};
