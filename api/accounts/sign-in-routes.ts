import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import { signInSchema } from "#shared/contracts/keys/account.ts";
import { jsonReply, originOf } from "../http/responses.ts";
import { apiRouter, openToAll } from "../http/router.ts";
import { giveSession } from "../http/session.ts";
import { beginSignIn, endSignIn, SIGN_IN_MS, type SignInRefusal } from "./sign-in.ts";

const ways = createRoute({
  method: "get",
  path: "/v1/sign-in",
  operationId: "listSignInProviders",
  tags: ["Accounts"],
  summary: "Providers for signing in",
  security: openToAll,
  responses: { 200: jsonReply("The providers", signInSchema) },
});

/** Addresses for browsers only: no API client calls them, so the API's description omits them. */
const visited = {
  method: "get" as const,
  hide: true,
  responses: { 302: { description: "To the provider, or back" } },
};
const params = z.object({ provider: nameSchema });

const begin = createRoute({
  ...visited,
  path: "/v1/sign-in/{provider}",
  request: { params, query: z.object({ to: z.string().max(bounds.url).default("/account/") }) },
});

const end = createRoute({
  ...visited,
  path: "/v1/sign-in/{provider}/callback",
  request: { params },
});

const NAME = "assay-sign-in";
/** Lax, because the provider's redirect comes from another site. */
const attributes = { prefix: "host", httpOnly: true, secure: true, sameSite: "Lax" } as const;

/** The account page explains what went wrong; the address contains no text of others. */
const refused = (c: Context, { kind }: SignInRefusal) =>
  c.redirect(`/account/?problem=${kind}`, 302);

/** A path of this service; any other address could abuse our own for phishing. */
function ownPath(to: string, origin: string): string {
  const url = URL.parse(to, origin);
  // A path such as "//host", which "/.//host" becomes, would be read as another host.
  const isOwn = url?.origin === origin && to.startsWith("/") && !url.pathname.startsWith("//");
  return url !== null && isOwn ? `${url.pathname}${url.search}${url.hash}` : "/account/";
}

export const signInRoutes = apiRouter()
  .openapi(ways, (c) => {
    const providers = c.var.platform.identityProviders.map(({ id, label }) => ({
      id,
      label,
      url: `/v1/sign-in/${id}`,
    }));
    return c.json({ providers }, 200);
  })
  .openapi(begin, async (c) => {
    const place = { provider: c.req.valid("param").provider, origin: originOf(c) };
    const to = ownPath(c.req.valid("query").to, place.origin);
    const begun = await beginSignIn(c.var.platform, place, to);
    if (!begun.ok) return refused(c, begun.error);
    const { url, sealed } = begun.value;
    setCookie(c, NAME, sealed, { ...attributes, path: "/", maxAge: SIGN_IN_MS / 1_000 });
    return c.redirect(url.href, 302);
  })
  .openapi(end, async (c) => {
    const sealed = getCookie(c, NAME, "host") ?? null;
    deleteCookie(c, NAME, { ...attributes, path: "/" });
    const place = { provider: c.req.valid("param").provider, origin: originOf(c) };
    const reply = new URL(c.req.url).searchParams;
    const browser = c.req.header("user-agent") ?? "";
    const ended = await endSignIn(c.var.platform, place, { reply, sealed, browser });
    if (!ended.ok) return refused(c, ended.error);
    // The previous user is signed out.
    const { session } = c.var;
    if (session !== null) {
      await c.var.platform.accounts.endSessions(session.record.owner, session.session.id);
    }
    giveSession(c, ended.value.token);
    return c.redirect(ended.value.to, 302);
  });
