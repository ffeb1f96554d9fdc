import { z } from "zod";
import {
  createdInvitationSchema,
  invitationSchema,
  memberSchema,
  organisationSchema,
  roleSchema,
} from "#shared/contracts/keys/organisation.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";
import { keyVariable, serviceFlags, serviceOf } from "./service-flags.ts";

const environment = keyVariable;
const organisation = { name: "organisation", help: "Its account, such as acme" } as const;
const person = { name: "person", help: "Account of the member" } as const;
const notes = ["The key is that of assay login --scope organisations, approved for yourself."];
const SCOPE = "organisations";

const pathOf = (...parts: string[]) =>
  ["/v1/organisations", ...parts.map(encodeURIComponent)].join("/");
const table = (rows: readonly (readonly string[])[]) =>
  textTable(
    rows.map((cells) => cells.map(printable)),
    () => true,
  ).join("\n");

const organisationsSchema = z.object({ organisations: z.array(organisationSchema) });
const listFlags = { ...serviceFlags, json: jsonFlag(organisationsSchema) };

const list = command({
  name: "org list",
  summary: "list your organisations",
  description: ["Lists the organisations that you are in, with your role."],
  flags: listFlags,
  environment,
  notes,
  async run(values, _, { stdout }) {
    const { value } = await serviceOf(values, SCOPE).get(pathOf(), organisationsSchema);
    const rows = value.organisations.map(({ owner, role, name }) => [owner, role, name ?? ""]);
    const text =
      rows.length === 0
        ? "you are in no organisation"
        : table([["organisation", "role", "name"], ...rows]);
    stdout.write(`${values.json ? listFlags.json.text(value) : text}\n`);
  },
});

const membersSchema = z.object({ members: z.array(memberSchema) });
const membersFlags = { ...serviceFlags, json: jsonFlag(membersSchema) };

const members = command({
  name: "org members",
  summary: "list the members of an organisation",
  description: ["Lists the members of an organisation that you are in, with their roles."],
  positionals: [organisation],
  flags: membersFlags,
  environment,
  async run(values, [owner], { stdout }) {
    const { value } = await serviceOf(values, SCOPE).get(pathOf(owner, "members"), membersSchema);
    const rows = value.members.map((one) => [one.person, one.role, one.addedAt.slice(0, 10)]);
    const text = table([["member", "role", "since"], ...rows]);
    stdout.write(`${values.json ? membersFlags.json.text(value) : text}\n`);
  },
});

const role = valueFlag("ROLE", "What the member may do", {
  choices: roleSchema.options,
  default: "submit",
});
const inviteFlags = {
  role,
  person: valueFlag("ACCOUNT", "The only account that may accept"),
  days: valueFlag("N", "Days until the link ends, 1 to 30", { default: "7" }),
  ...serviceFlags,
  json: jsonFlag(createdInvitationSchema),
} as const;

const invite = command({
  name: "org invite",
  summary: "make a link that invites somebody",
  description: [
    "Prints a link with which one person joins an organisation of which you are an admin. It is shown only once, and can be used once.",
  ],
  positionals: [organisation],
  flags: inviteFlags,
  environment,
  examples: ["assay org invite acme --role read --person octocat"],
  async run(values, [owner], { stdout }) {
    const { role: wanted = "submit", days = "7" } = values;
    if (!/^[1-9]\d?$/.test(days)) {
      throw new BadInput(`--days must be a whole number from 1 to 30, not "${days}"`);
    }
    const body = {
      role: wanted,
      days: Number(days),
      ...(values.person && { person: values.person }),
    };
    const service = serviceOf(values, SCOPE);
    const { value } = await service.post(
      pathOf(owner, "invitations"),
      body,
      createdInvitationSchema,
    );
    stdout.write(`${values.json ? inviteFlags.json.text(value) : printable(value.link)}\n`);
  },
});

const acceptFlags = { ...serviceFlags, json: jsonFlag(invitationSchema) };

const accept = command({
  name: "org accept",
  summary: "accept an invitation",
  description: ["Joins the organisation that a link invites you to."],
  positionals: [{ name: "link", help: "The link, or what follows #invitation= in it" }],
  flags: acceptFlags,
  environment,
  async run(values, [link], { stdout }) {
    const token = link.split("#invitation=").at(-1) ?? "";
    if (!/^[\w-]+$/.test(token)) {
      throw new BadInput("this is no link of an invitation: it has #invitation= near its end");
    }
    const { value } = await serviceOf(values, SCOPE).post(
      "/v1/invitation/accept",
      {},
      invitationSchema,
      { "x-invitation": token },
    );
    const text = `you are in ${value.owner}, with the role ${value.role}`;
    stdout.write(`${values.json ? acceptFlags.json.text(value) : printable(text)}\n`);
  },
});

const memberSchemaOf = z.object({ owner: z.string(), person: z.string() });
const roleResult = memberSchemaOf.extend({ role: roleSchema });
const roleFlags = { ...serviceFlags, json: jsonFlag(roleResult) };

const change = command({
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
  flags: roleFlags,
  environment,
  examples: ["assay org role acme octocat admin"],
  async run(values, [owner, who, wanted], { stdout }) {
    const service = serviceOf(values, SCOPE);
    const path = pathOf(owner, "members", who);
    const { value } = await service.patch(path, { role: wanted }, roleResult);
    const text = `${value.person} has the role ${value.role} in ${value.owner}`;
    stdout.write(`${values.json ? roleFlags.json.text(value) : printable(text)}\n`);
  },
});

const removeFlags = { ...serviceFlags, json: jsonFlag(memberSchemaOf) };

const remove = command({
  name: "org remove",
  summary: "remove a member",
  description: ["Removes a member of an organisation, and revokes the keys that they made for it."],
  positionals: [organisation, person],
  flags: removeFlags,
  environment,
  async run(values, [owner, who], { stdout }) {
    const path = pathOf(owner, "members", who);
    const { value } = await serviceOf(values, SCOPE).delete(path, memberSchemaOf);
    const text = `${value.person} is not in ${value.owner} any more`;
    stdout.write(`${values.json ? removeFlags.json.text(value) : printable(text)}\n`);
  },
});

const leave = command({
  name: "org leave",
  summary: "leave an organisation",
  description: ["Leaves an organisation. Keys that you made for it are revoked."],
  positionals: [organisation],
  flags: removeFlags,
  environment,
  async run(values, [owner], { stdout }) {
    const service = serviceOf(values, SCOPE);
    const { value: me } = await service.get("/v1/account", z.object({ owner: z.string() }));
    const path = pathOf(owner, "members", me.owner);
    const { value } = await service.delete(path, memberSchemaOf);
    const text = `you are not in ${value.owner} any more`;
    stdout.write(`${values.json ? removeFlags.json.text(value) : printable(text)}\n`);
  },
});

/** `assay org`. */
export const organisationCommands = [list, members, invite, accept, change, remove, leave];
