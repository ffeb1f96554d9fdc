import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  createdInvitationSchema,
  invitationSchema,
  memberSchema,
  newInvitationSchema,
  newOrganisationSchema,
  organisationSchema,
  roleSchema,
} from "#shared/contracts/keys/organisation.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { requireJson } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonBody,
  jsonReply,
  originOf,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { personOf, requirePerson } from "../http/session.ts";
import {
  acceptInvitation,
  changeMember,
  createOrganisation,
  invitationView,
  invite,
  memberView,
  memberWith,
  openInvitation,
} from "./organisations.ts";

const tags = ["Organisations"];
const security = [...wantsSession, ...wantsApiKey];
const reads = { tags, security, middleware: requirePerson };
const writes = { tags, security, middleware: [requirePerson, requireJson] };
const ofOwner = z.object({ owner: nameSchema });
const ofMember = ofOwner.extend({ person: nameSchema });
const refusals = problemResponses("unauthorized", "forbidden", "not-found");
const bodyRefusals = problemResponses(...bodyProblems, "not-found", "conflict");

const create = createRoute({
  ...writes,
  method: "post",
  path: "/v1/organisations",
  operationId: "createOrganisation",
  summary: "Create an organisation; its creator is its first admin",
  description:
    "An organisation is an owner like a person. A session acts for it with the header `x-assay-owner`; a key that is made so belongs to it.",
  request: { body: jsonBody(newOrganisationSchema) },
  responses: { 201: jsonReply("The organisation", organisationSchema), ...bodyRefusals },
});

const list = createRoute({
  ...reads,
  method: "get",
  path: "/v1/organisations",
  operationId: "listOrganisations",
  summary: "The caller's organisations",
  responses: {
    200: jsonReply("The organisations", z.object({ organisations: z.array(organisationSchema) })),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const listMembers = createRoute({
  ...reads,
  method: "get",
  path: "/v1/organisations/{owner}/members",
  operationId: "listMembers",
  summary: "An organisation's members; for its members",
  request: { params: ofOwner },
  responses: {
    200: jsonReply("The members", z.object({ members: z.array(memberSchema) })),
    ...refusals,
  },
});

const setRole = createRoute({
  ...writes,
  method: "patch",
  path: "/v1/organisations/{owner}/members/{person}",
  operationId: "changeMember",
  summary: "Change a member's role; for its admins",
  description:
    "To hand an organisation over, make another member an admin, who then changes or removes you.",
  request: { params: ofMember, body: jsonBody(z.strictObject({ role: roleSchema })) },
  responses: {
    200: jsonReply("The member's new role", ofMember.extend({ role: roleSchema })),
    ...bodyRefusals,
  },
});

const remove = createRoute({
  ...reads,
  method: "delete",
  path: "/v1/organisations/{owner}/members/{person}",
  operationId: "removeMember",
  summary:
    "Remove a member and revoke the keys and links that they made for it; for its admins, or leave",
  request: { params: ofMember },
  responses: {
    200: jsonReply("The removed member", ofMember),
    ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
  },
});

const createInvitation = createRoute({
  ...writes,
  method: "post",
  path: "/v1/organisations/{owner}/invitations",
  operationId: "createInvitation",
  summary: "Invite somebody by a link, or an account by its name; for its admins",
  request: { params: ofOwner, body: jsonBody(newInvitationSchema) },
  responses: {
    201: jsonReply("The invitation, with its link", createdInvitationSchema),
    ...bodyRefusals,
  },
});

const listInvitations = createRoute({
  ...reads,
  method: "get",
  path: "/v1/organisations/{owner}/invitations",
  operationId: "listInvitations",
  summary: "Open invitations; for its admins",
  request: { params: ofOwner },
  responses: {
    200: jsonReply("The invitations", z.object({ invitations: z.array(invitationSchema) })),
    ...refusals,
  },
});

const revokeInvitation = createRoute({
  ...reads,
  method: "delete",
  path: "/v1/organisations/{owner}/invitations/{id}",
  operationId: "revokeInvitation",
  summary: "Revoke an invitation; for its admins",
  request: { params: ofOwner.extend({ id: nameSchema }) },
  responses: {
    200: jsonReply("The revoked invitation", z.object({ id: z.string() })),
    ...refusals,
  },
});

const tokenHeader = z.object({
  "x-invitation": nameSchema.meta({
    description: "secret of the invitation, which follows `#invitation=` in the link",
  }),
});

const showInvitation = createRoute({
  ...reads,
  method: "get",
  path: "/v1/invitation",
  operationId: "getInvitation",
  summary: "An invitation that the caller may accept",
  request: { headers: tokenHeader },
  responses: { 200: jsonReply("The invitation", invitationSchema), ...refusals },
});

const accept = createRoute({
  ...reads,
  method: "post",
  path: "/v1/invitation/accept",
  operationId: "acceptInvitation",
  summary: "Accept an invitation, once",
  request: { headers: tokenHeader },
  responses: {
    200: jsonReply("The invitation", invitationSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
  },
});

export const organisationRoutes = apiRouter()
  .openapi(create, async (c) => {
    const person = personOf(c);
    const wanted = c.req.valid("json");
    const after = { person, role: "admin" };
    const noted = { action: "organisation.create", target: wanted.owner, after };
    const entry = noteAction(c, noted, 201);
    const made = accepted(await createOrganisation(c.var.platform, wanted, person, entry));
    return c.json(made, 201);
  })
  .openapi(list, async (c) => {
    const person = personOf(c);
    return c.json({ organisations: await c.var.platform.organisations.of(person) }, 200);
  })
  .openapi(listMembers, async (c) => {
    const { owner } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await memberWith(platform, owner, personOf(c), "read"));
    const members = await platform.organisations.membersOf(owner);
    return c.json({ members: members.map(memberView) }, 200);
  })
  .openapi(setRole, async (c) => {
    const { owner, person } = c.req.valid("param");
    const { role } = c.req.valid("json");
    const { platform } = c.var;
    accepted(await memberWith(platform, owner, personOf(c), "admin"));
    const noted = { action: "member.change", target: owner, after: { person, role } };
    accepted(await changeMember(platform, owner, person, role, noteAction(c, noted)));
    return c.json({ owner, person, role }, 200);
  })
  .openapi(remove, async (c) => {
    const { owner, person } = c.req.valid("param");
    const { platform } = c.var;
    const caller = personOf(c);
    const least = caller === person ? "read" : "admin";
    accepted(await memberWith(platform, owner, caller, least));
    const noted = { action: "member.remove", target: owner, before: { person } };
    accepted(await changeMember(platform, owner, person, null, noteAction(c, noted)));
    return c.json({ owner, person }, 200);
  });

export const invitationRoutes = apiRouter()
  .openapi(createInvitation, async (c) => {
    const { owner } = c.req.valid("param");
    const { platform } = c.var;
    const person = personOf(c);
    accepted(await memberWith(platform, owner, person, "admin"));
    const wanted = c.req.valid("json");
    const invited = accepted(
      await invite(platform, owner, person, wanted, ({ id: target, ...after }) =>
        noteAction(c, { action: "invitation.create", target, after }, 201),
      ),
    );
    const { invitation, token } = invited;
    // URL fragments appear neither in logs nor in Referer.
    const link = `${originOf(c)}/account/organisations/#invitation=${token}`;
    return c.json({ ...invitation, link }, 201, { "cache-control": "no-store" });
  })
  .openapi(listInvitations, async (c) => {
    const { owner } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await memberWith(platform, owner, personOf(c), "admin"));
    const open = await platform.organisations.invitationsOf(owner, platform.now());
    return c.json({ invitations: open.map(invitationView) }, 200);
  })
  .openapi(revokeInvitation, async (c) => {
    const { owner, id } = c.req.valid("param");
    const { platform } = c.var;
    accepted(await memberWith(platform, owner, personOf(c), "admin"));
    const entry = noteAction(c, { action: "invitation.revoke", target: id });
    const isRevoked = await platform.organisations.revokeInvitation(owner, id, entry);
    if (!isRevoked) return problem(c, "not-found", `there is no invitation "${id}" to revoke`);
    return c.json({ id }, 200);
  })
  .openapi(showInvitation, async (c) => {
    const { "x-invitation": token } = c.req.valid("header");
    const open = accepted(await openInvitation(c.var.platform, token, personOf(c)));
    return c.json(invitationView(open), 200);
  })
  .openapi(accept, async (c) => {
    const { "x-invitation": token } = c.req.valid("header");
    const person = personOf(c);
    const joined = accepted(
      await acceptInvitation(c.var.platform, token, person, ({ owner, role }) =>
        noteAction(c, { action: "member.join", target: owner, after: { person, role } }),
      ),
    );
    return c.json(invitationView(joined), 200);
  });
