import { z } from "zod";
import { givenScopeSchema, newApiKeySchema, scopeSchema } from "./api-key.ts";

/** A sign-in provider. */
const providerSchema = z
  .object({
    id: z.string(),
    label: z.string().meta({ example: "GitHub" }),
    url: z.string().meta({ description: "page of this service that leads to the provider" }),
  })
  .meta({ id: "SignInProvider" });

/** The ways to sign in to a service. */
export const signInSchema = z
  .object({
    providers: z.array(providerSchema).describe("sign-in providers; empty: sign-in is off"),
  })
  .meta({ id: "SignIn" });
export type SignIn = z.infer<typeof signInSchema>;

/** A signed-in browser. */
export const sessionSchema = z
  .object({
    id: z.string(),
    browser: z.string().meta({ description: "browser, as it describes itself" }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().meta({ description: "time of the last use, to within a minute" }),
    expiresAt: z.iso.datetime(),
    isCurrent: z.boolean(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof sessionSchema>;

/** The caller, by session or key. */
export const accountSchema = z
  .object({
    owner: z.string().describe("name of the account, first part of the slugs of its models"),
    name: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    provider: z.string().nullable().describe("sign-in provider; null: created by the operator"),
    login: z.string().nullable().meta({ description: "name at the sign-in provider" }),
    scopes: z.array(scopeSchema),
    keyId: z.string().nullable().describe("id of the API key of the request; null: signed in"),
    csrfToken: z.string().nullable().meta({
      description:
        "token of the session, sent as `x-csrf-token` by requests with its cookie that change something",
    }),
  })
  .meta({ id: "Account" });
export type AccountView = z.infer<typeof accountSchema>;

/** The public part of an account. */
export const publicOwnerSchema = z
  .object({
    owner: z.string(),
    name: z.string().nullable().meta({
      description: "display name, which nobody checks: only `domains` and `owner` say who it is",
    }),
    url: z.string().nullable().meta({ description: "URL of the picture at the sign-in provider" }),
    domains: z.array(z.string()).meta({ description: "verified domains of the account" }),
  })
  .meta({ id: "PublicOwner" });
export type PublicOwner = z.infer<typeof publicOwnerSchema>;

/** Scopes that accounts can give to their own keys. */
const ownScopes = givenScopeSchema.exclude(["admin"]);

/** A request for a key of the caller's own account. */
export const newOwnKeySchema = newApiKeySchema
  .omit({ owner: true })
  .extend({ scopes: z.array(ownScopes).min(1).max(10).default(["submit"]) })
  .meta({ id: "NewOwnApiKey" });
