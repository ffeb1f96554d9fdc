import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import type { FoundSession } from "../accounts/sessions.ts";
import type { Account } from "../keys/account.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { noSuite, type Platform } from "../platform/platform.ts";
import { problem } from "./responses.ts";

/** An action on rights or visibility: for example `run.hide`, the run's id, and the state before and after. */
export interface NotedAction {
  action: string;
  target: string;
  /** Default: the parameter `reason` of the request. */
  reason?: string | null;
  before?: JsonObject;
  after?: JsonObject;
}

/** Variables in the context of a request. */
export interface AppEnv {
  Variables: {
    platform: Platform;
    account: Account | null;
    /** The session of the request; null if it has a key. */
    session: FoundSession | null;
    /** When the rights of account and session were looked up, Unix ms. */
    rightsAsOf: number;
    requestId: string;
    noted?: AuditRecord;
  };
}

/** Name of the security scheme in the OpenAPI document. */
export const apiKeyScheme = "apiKey";

/** Name of the security scheme of sessions. */
export const sessionScheme = "session";

/** For routes that only a person's session may call. */
export const wantsSession = [{ [sessionScheme]: [] }];

/** For routes that require an API key. */
export const wantsApiKey = [{ [apiKeyScheme]: [] }];

/** For routes that show more to the owner of a key: unlisted and hidden runs. */
export const takesApiKey = [{}, ...wantsApiKey];

/** For routes with the same reply for everyone. */
export const openToAll: Record<string, string[]>[] = [];

export type AppContext = Context<AppEnv>;

/** The API key of a request, valid or not. */
export const bearerOf = (c: AppContext): string | null =>
  /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;

/** The build of the site sends this header to read as an anonymous caller, even if the service requires no key. */
export const isAsPublic = (c: AppContext): boolean => c.req.header("x-assay-public") !== undefined;

/** A router that validates requests by the contracts, and responds with a problem if they don't match. */
export function apiRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: async (result, c) => {
      if (result.success) return;
      const { issues } = result.error;
      const errors =
        result.target === "json"
          ? bodyErrors(c, issues, await c.req.json())
          : parameterErrors(issues, result.target === "header" ? c.req.header() : c.req.query());
      const detail = `nothing was done: ${counted(errors.length, "invalid part")} of the request`;
      return problem(c, "invalid-request", detail, { errors });
    },
  });
}

/** Errors of a JSON body. An unknown suite is added here, although services check it only once all else is valid. */
function bodyErrors({ var: { platform } }: AppContext, issues: z.core.$ZodIssue[], body: unknown) {
  const { data: suite } = nameSchema.safeParse((body as { suite?: unknown } | null)?.suite);
  const isKnown = suite === undefined || platform.suites.byId(suite) !== undefined;
  const first = isKnown ? [] : [{ pointer: "/suite", detail: noSuite(platform, suite) }];
  return [...first, ...fieldErrors(issues, body)];
}

/** Errors of path, query and header parameters, by name. */
export function parameterErrors(
  issues: readonly z.core.$ZodIssue[],
  query: Record<string, string>,
): FieldError[] {
  return fieldErrors(issues, query).map(({ pointer, detail }) => ({
    parameter: (pointer ?? "").slice(1),
    detail,
  }));
}
