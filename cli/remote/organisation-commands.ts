import { z } from "zod";
import {
  createdInvitationSchema,
  invitationSchema,
  memberSchema,
  organisationSchema,
  roleSchema,
} from "#shared/contracts/keys/organisation.ts";
import { valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { printable, textTable } from "../terminal/text.ts";
import { serviceCommand } from "./service-flags.ts";

const organisation = { name: "organisation", help: "Its account, such as acme" } as const;
const person = { name: "person", help: "Account of the member" } as const;
const notes = ["Needs the key of assay login --scope organisations, approved for yourself."];
const scope = "organisations";

const pathOf = (...parts: string[]) =>
  ["/v1/organisations", ...parts.map(encodeURIComponent)].join("/");
const table = (rows: readonly (readonly string[])[]) =>
  textTable(
    rows.map((cells) => cells.map(printable)),
    () => true,
  ).join("\n");

const organisationsSchema = z.object({ organisations: z.array(organisationSchema) });

const list = serviceCommand({
  name: "org list",
  summary: "list your organisations",
  description: ["Lists the organisations that you are in, with your role."],
  result: organisationsSchema,
  scope,
  notes,
  call: (service) => service.get(pathOf(), organisationsSchema),
  text({ organisations }) {
    if (organisations.length === 0) return "you are not in an organisation";
    const rows = organisations.map(({ owner, role, name }) => [owner, role, name ?? ""]);
    return table([["organisation", "role", "name"], ...rows]);
  },
});

const membersSchema = z.object({ members: z.array(memberSchema) });

const members = serviceCommand({
  name: "org members",
  summary: "list the members of an organisation",
  description: ["Lists the members of an organisation that you are in, with their roles."],
  positionals: [organisation],
  result: membersSchema,
  scope,
  call: (service, _, [owner]) => service.get(pathOf(owner, "members"), membersSchema),
  text({ members }) {
    const rows = members.map((one) => [one.person, one.role, one.addedAt.slice(0, 10)]);
    return table([["member", "role", "since"], ...rows]);
  },
});

const role = valueFlag("ROLE", "What the member may do", {
  choices: roleSchema.options,
  default: "submit",
});

const invite = serviceCommand({
  name: "org invite",
  summary: "make a link that invites somebody",
  description: [
    "Prints a link that lets one person join an organisation; you must be its admin. The link is shown only once, and can be used once.",
  ],
  positionals: [organisation],
  flags: {
    role,
    person: valueFlag("ACCOUNT", "The only account that may accept"),
    days: valueFlag("N", "Days until the link expires, 1 to 30", { default: "7" }),
  },
  result: createdInvitationSchema,
  scope,
  examples: ["assay org invite acme --role read --person octocat"],
  async call(service, values, [owner]) {
    const { role: wanted = "submit", days = "7" } = values;
    if (!/^[1-9]\d?$/.test(days)) {
      throw new BadInput(`--days must be a whole number from 1 to 30, not "${days}"`);
    }
    const body = {
      role: wanted,
      days: Number(days),
      ...(values.person && { person: values.person }),
    };
    return service.post(pathOf(owner, "invitations"), body, createdInvitationSchema);
  },
  text: ({ link }) => printable(link),
});

const accept = serviceCommand({
  name: "org accept",
  summary: "accept an invitation",
  description: ["Joins the organisation that a link invites you to."],
  positionals: [{ name: "link", help: "The link, or its part after #invitation=" }],
  result: invitationSchema,
  scope,
  async call(service, _, [link]) {
    const token = link.split("#invitation=").at(-1) ?? "";
    if (!/^[\w-]+$/.test(token)) {
      throw new BadInput("this is not an invitation link, which has #invitation= near its end");
    }
    const headers = { "x-invitation": token };
    return service.post("/v1/invitation/accept", {}, invitationSchema, headers);
  },
  text: (member) => printable(`you are in ${member.owner}, with the role ${member.role}`),
});

const memberSchemaOf = z.object({ owner: z.string(), person: z.string() });
const roleResult = memberSchemaOf.extend({ role: roleSchema });

const change = serviceCommand({
  name: "org role",
  summary: "change the role of a member",
  description: [
    "Changes the role of a member. To hand an organisation over, make somebody else an admin, then leave it.",
  ],
  positionals: [
    organisation,
    person,
    { name: "role", help: roleSchema.options.join(", "), choices: roleSchema.options },
  ],
  result: roleResult,
  scope,
  examples: ["assay org role acme octocat admin"],
  call: (service, _, [owner, who, wanted]) =>
    service.patch(pathOf(owner, "members", who), { role: wanted }, roleResult),
  text: (member) => printable(`${member.person} has the role ${member.role} in ${member.owner}`),
});

const remove = serviceCommand({
  name: "org remove",
  summary: "remove a member",
  description: ["Removes a member of an organisation, and revokes the keys that they made for it."],
  positionals: [organisation, person],
  result: memberSchemaOf,
  scope,
  call: (service, _, [owner, who]) => service.delete(pathOf(owner, "members", who), memberSchemaOf),
  text: (member) => printable(`${member.person} is no longer in ${member.owner}`),
});

const leave = serviceCommand({
  name: "org leave",
  summary: "leave an organisation",
  description: ["Leaves an organisation. Keys that you made for it are revoked."],
  positionals: [organisation],
  result: memberSchemaOf,
  scope,
  async call(service, _, [owner]) {
    const me = await service.get("/v1/account", z.object({ owner: z.string() }));
    return service.delete(pathOf(owner, "members", me.owner), memberSchemaOf);
  },
  text: (member) => printable(`you are no longer in ${member.owner}`),
});

/** `assay org`. */
export const organisationCommands = [list, members, invite, accept, change, remove, leave];
