import { z } from "zod";
import { bounds } from "../bounds.ts";
import { printableText } from "../text/printable-text.ts";
import { ownerSchema } from "../text/slug.ts";

/**
 * What a member can do. `read`: see private data of the organisation; `submit`: also submit for it and create keys for
 * it; `admin`: also manage members, invitations and all keys.
 */
export const roleSchema = z.enum(["read", "submit", "admin"]).meta({ id: "Role" });
export type Role = z.infer<typeof roleSchema>;

export const newOrganisationSchema = z
  .strictObject({
    owner: ownerSchema.meta({ description: "name of the organisation's account", example: "acme" }),
    name: printableText(bounds.name).meta({ example: "Acme GmbH" }),
  })
  .meta({ id: "NewOrganisation" });

/** An organisation of the caller. */
export const organisationSchema = z
  .object({
    owner: z.string(),
    name: z.string().nullable(),
    role: roleSchema.meta({ description: "role of the caller" }),
  })
  .meta({ id: "Organisation" });
export type Organisation = z.infer<typeof organisationSchema>;

export const memberSchema = z
  .object({
    person: z.string().meta({ description: "account of the person" }),
    role: roleSchema,
    addedAt: z.iso.datetime(),
    addedBy: z.string(),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof memberSchema>;

export const newInvitationSchema = z
  .strictObject({
    role: roleSchema.default("submit"),
    person: ownerSchema.optional().meta({
      description: "the only account that can accept it; default: anyone with the link",
    }),
    days: z.int().min(1).max(30).default(7).describe("days until the invitation expires"),
  })
  .meta({ id: "NewInvitation" });

export const invitationSchema = z
  .object({
    id: z.string(),
    owner: z.string().meta({ description: "account of the organisation" }),
    role: roleSchema,
    person: z.string().nullable(),
    createdBy: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitationSchema>;

export const createdInvitationSchema = invitationSchema
  .extend({ link: z.string().meta({ description: "link, shown only once and usable once" }) })
  .meta({ id: "CreatedInvitation" });
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

/** A domain that an organisation claims. */
export const domainSchema = z
  .object({
    domain: z.string().meta({ description: "domain in ASCII: other letters as `xn--…`" }),
    isVerified: z.boolean().describe("whether the domain is proven and shown"),
    verifiedAt: z.iso.datetime().nullable(),
    checkedAt: z.iso.datetime().nullable(),
    endsAt: z.iso.datetime().nullable().meta({
      description:
        "when the domain is lost, because the last check did not find its proof; null: found",
    }),
    problem: z.string().nullable().meta({ description: "problem of the last check; null: none" }),
    proof: z
      .object({
        text: z.string(),
        recordName: z.string().meta({ description: "name of the TXT record for the proof" }),
        fileUrl: z.string().meta({ description: "address of the file for the proof" }),
      })
      .meta({ description: "proof of the domain: `text` in the TXT record or in the file" }),
  })
  .meta({ id: "Domain" });
export type Domain = z.infer<typeof domainSchema>;
