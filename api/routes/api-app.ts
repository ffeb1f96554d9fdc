import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Ports } from "../pipeline/ports.ts";
import type { Account } from "../security/account.ts";
import { pointerOf, problem } from "./problem-response.ts";

/** What routes find in their context. */
export interface AppEnv {
  Variables: { ports: Ports; account: Account | null; requestId: string };
}

/** Name of the security scheme in the OpenAPI document. */
export const apiKeyScheme = "apiKey";

/** Marks a route as wanting an API key. */
export const wantsApiKey = [{ [apiKeyScheme]: [] }];

export type AppContext = Context<AppEnv>;

/** A router whose requests are checked against the contracts; what does not fit is a problem. */
export function apiRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const body = result.target === "json" || result.target === "form";
      const errors = result.error.issues.map((issue) =>
        body
          ? { pointer: pointerOf(issue.path), detail: issue.message }
          : { parameter: issue.path.map(String).join("."), detail: issue.message },
      );
      return problem(c, "invalid-request", `${errors.length} part(s) of the request do not fit`, {
        errors,
      });
    },
  });
}
