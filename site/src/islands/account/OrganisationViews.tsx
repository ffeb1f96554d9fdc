import type {
  CreatedInvitation,
  Domain,
  Invitation,
  Member,
  Organisation,
  Role,
} from "#shared/contracts/keys/organisation.ts";
import { formatDate, formatTime } from "../../format/date.ts";
import { ListTable } from "./AccountViews.tsx";

/** The rights of each role. */
const roles: Record<Role, string> = {
  read: "Read its private data",
  submit: "Also submit runs and datasets for it",
  admin: "Also change its members",
};

const roleOptions = (current: Role) =>
  (Object.keys(roles) as Role[]).map((role) => (
    <option value={role} selected={role === current}>
      {role}
    </option>
  ));

/** Organisations of the person; `shown`: the one shown below. */
export const OrganisationsView = ({
  organisations,
  shown,
}: {
  organisations: readonly Organisation[];
  shown: string | null;
}) =>
  organisations.length === 0 ? (
    <p class="soft">You are in no organisation yet.</p>
  ) : (
    <ListTable
      label="Your organisations"
      heads={["Account", "Name", "Your role"]}
      rows={organisations.map(({ owner, name, role }) => [
        owner,
        name ?? "",
        role,
        owner === shown ? (
          "shown below"
        ) : (
          <a href={`?owner=${encodeURIComponent(owner)}`} aria-label={`Members of ${owner}`}>
            Members
          </a>
        ),
      ])}
    />
  );

/** An invitation that the person may accept. */
export const InvitationView = ({ invitation }: { invitation: Invitation }) => (
  <section aria-labelledby="invitation" class="notice">
    <h2 id="invitation">Join {invitation.owner}?</h2>
    <p>
      {invitation.createdBy} invites you, with the role {invitation.role}. Its members see who is in
      it.
    </p>
    <p class="form-row">
      <button type="button" class="action" data-answer="accept">
        Join
      </button>
      <button type="button" data-answer="leave">
        Not now
      </button>
    </p>
  </section>
);

/** Members, with controls for admins. */
export const MembersView = ({
  members,
  me,
  isAdmin,
}: {
  members: readonly Member[];
  me: string;
  isAdmin: boolean;
}) => (
  <ListTable
    label="Members"
    heads={["Member", "Role", "Since", "Added by"]}
    rows={members.map(({ person, role, addedAt, addedBy }) => [
      person === me ? `${person} (you)` : person,
      isAdmin ? (
        <select data-role={person} aria-label={`Role of ${person}`}>
          {roleOptions(role)}
        </select>
      ) : (
        role
      ),
      formatDate(addedAt),
      addedBy,
      <>
        {(isAdmin || person === me) && (
          <button
            type="button"
            data-remove={person}
            aria-label={person === me ? "Leave" : `Remove ${person}`}
          >
            {person === me ? "Leave" : "Remove"}
          </button>
        )}
        {isAdmin && person !== me && (
          <button type="button" data-hand={person} aria-label={`Hand over to ${person}`}>
            Hand over
          </button>
        )}
      </>,
    ])}
  />
);

export const InvitationsView = ({ invitations }: { invitations: readonly Invitation[] }) =>
  invitations.length === 0 ? (
    <p class="soft">No invitation is open.</p>
  ) : (
    <ListTable
      label="Open invitations"
      heads={["For", "Role", "By", "Ends"]}
      rows={invitations.map(({ id, person, role, createdBy, expiresAt }) => [
        person ?? "whoever has the link",
        role,
        createdBy,
        formatDate(expiresAt),
        <button
          type="button"
          data-revoke={id}
          aria-label={`Revoke the invitation for ${person ?? "whoever has the link"}`}
        >
          Revoke
        </button>,
      ])}
    />
  );

export const MadeInvitationView = ({ made }: { made: CreatedInvitation }) => (
  <div class="notice">
    <p>This link is shown only now, and can be used once, until {formatDate(made.expiresAt)}:</p>
    <pre class="wrap" tabindex={0}>
      <code>{made.link}</code>
    </pre>
  </div>
);

/** Domains that the organisation claims, with their proofs. */
export const DomainsView = ({ domains }: { domains: readonly Domain[] }) =>
  domains.length === 0 ? (
    <p class="soft">No domain yet.</p>
  ) : (
    <ListTable
      label="Domains"
      heads={["Domain", "State", "Checked", "Proof"]}
      rows={domains.map((its) => [
        its.domain,
        <>
          {its.isVerified ? "verified" : "not verified"}
          {its.endsAt !== null && `, lost on ${formatDate(its.endsAt)} unless its proof is back`}
        </>,
        its.checkedAt === null ? "never" : formatTime(its.checkedAt),
        <>
          <code>{its.proof.text}</code> as TXT record of <code>{its.proof.recordName}</code>, or in{" "}
          <code>{its.proof.fileUrl}</code>
        </>,
        <>
          <button type="button" data-check={its.domain} aria-label={`Check ${its.domain}`}>
            Check
          </button>
          <button type="button" data-drop={its.domain} aria-label={`Remove ${its.domain}`}>
            Remove
          </button>
        </>,
      ])}
    />
  );
