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
  .object({ providers: z.array(providerSchema).meta({ description: "empty: sign-in is off" }) })
  .meta({ id: "SignIn" });
export type SignIn = z.infer<typeof signInSchema>;

/** A signed-in browser. */
export const sessionSchema = z
  .object({
    id: z.string(),
    browser: z.string().meta({ description: "the browser's own description" }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().meta({ description: "to within a minute" }),
    expiresAt: z.iso.datetime(),
    isCurrent: z.boolean(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof sessionSchema>;

/** The caller, by session or key. */
export const accountSchema = z
  .object({
    owner: z.string().meta({ description: "the account's name, first part of its models' slugs" }),
    name: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    provider: z.string().nullable().meta({ description: "null: the operator created the account" }),
    login: z.string().nullable().meta({ description: "at the provider" }),
    scopes: z.array(scopeSchema),
    keyId: z.string().nullable().meta({ description: "the key of the request" }),
    csrfToken: z.string().nullable().meta({
      description:
        "of the session: requests by its cookie that change something send it as `x-csrf-token`",
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
    url: z.string().nullable().meta({ description: "picture at the sign-in provider" }),
    domains: z.array(z.string()).meta({ description: "verified ones" }),
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
