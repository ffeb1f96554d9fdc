import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { domainSchema } from "#shared/contracts/keys/organisation.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { requireJson } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { personOf, requirePerson } from "../http/session.ts";
import { checkDomain, claimDomain, domainView, showOwner } from "./domains.ts";
import { memberWith } from "./organisations.ts";

const tags = ["Organisations"];
const security = [...wantsSession, ...wantsApiKey];
const reads = { tags, security, middleware: requirePerson };
const ofOwner = z.object({ owner: nameSchema });
const ofDomain = ofOwner.extend({ domain: nameSchema });
const refusals = problemResponses("unauthorized", "forbidden", "not-found");

const list = createRoute({
  ...reads,
  method: "get",
  path: "/v1/organisations/{owner}/domains",
  operationId: "listDomains",
  summary: "Domains that an organisation claims; for its admins",
  request: { params: ofOwner },
  responses: {
    200: jsonReply("The domains", z.object({ domains: z.array(domainSchema) })),
    ...refusals,
  },
});

const claim = createRoute({
  ...reads,
  middleware: [requirePerson, requireJson] as const,
  method: "post",
  path: "/v1/organisations/{owner}/domains",
  operationId: "claimDomain",
  summary: "Claim a domain; for its admins",
  description:
    "Put `proof.text` into a TXT record or a file of the domain, then check it. Nobody else sees a domain that is not proven.",
  request: { params: ofOwner, body: jsonBody(z.strictObject({ domain: nameSchema })) },
  responses: {
    201: jsonReply("The domain, and what proves it", domainSchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

const check = createRoute({
  ...reads,
  method: "post",
  path: "/v1/organisations/{owner}/domains/{domain}/check",
  operationId: "checkDomain",
  summary: "Check the proof of a domain; for its admins",
  description:
    "A verified domain is shown next to the organisation's name, and checked daily; it is lost after a week without its proof.",
  request: { params: ofDomain },
  responses: { 200: jsonReply("The domain", domainSchema), ...refusals },
});

const remove = createRoute({
  ...reads,
  method: "delete",
  path: "/v1/organisations/{owner}/domains/{domain}",
  operationId: "removeDomain",
  summary: "Give a domain up; for its admins",
  request: { params: ofDomain },
  responses: {
    200: jsonReply("The removed domain", z.object({ domain: z.string() })),
    ...refusals,
  },
});

const adminOf = (c: AppContext, owner: string) =>
  memberWith(c.var.platform, owner, personOf(c), "admin");
const noDomain = (owner: string, domain: string) => `"${owner}" claims no domain "${domain}"`;

export const domainRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { owner } = c.req.valid("param");
    accepted(await adminOf(c, owner));
    const found = await c.var.platform.domains.of(owner);
    return c.json({ domains: found.map(domainView) }, 200);
  })
  .openapi(claim, async (c) => {
    const { owner } = c.req.valid("param");
    accepted(await adminOf(c, owner));
    const { domain } = c.req.valid("json");
    const made = accepted(
      await claimDomain(c.var.platform, { owner, domain, person: personOf(c) }),
    );
    noteAction(c, { action: "domain.claim", target: owner, after: { domain } });
    return c.json(domainView(made), 201);
  })
  .openapi(check, async (c) => {
    const { owner, domain } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await adminOf(c, owner));
    const found = await platform.domains.get(owner, domain);
    if (found === null) return problem(c, "not-found", noDomain(owner, domain));
    const checked = await checkDomain(platform, found);
    const isVerified = checked.verifiedAt !== null;
    noteAction(c, { action: "domain.check", target: owner, after: { domain, isVerified } });
    return c.json(domainView(checked), 200);
  })
  .openapi(remove, async (c) => {
    const { owner, domain } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await adminOf(c, owner));
    const isRemoved = await platform.domains.remove(owner, domain);
    if (!isRemoved) return problem(c, "not-found", noDomain(owner, domain));
    await showOwner(platform, owner);
    noteAction(c, { action: "domain.remove", target: owner, before: { domain } });
    return c.json({ domain }, 200);
  });
