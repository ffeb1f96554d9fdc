import { OWNER_HEADER } from "#shared/contracts/keys/access-names.ts";
import type {
  CreatedInvitation,
  Domain,
  Invitation,
  Member,
  Organisation,
} from "#shared/contracts/keys/organisation.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import type { SignedIn } from "../session.tsx";
import {
  DomainsView,
  InvitationsView,
  InvitationView,
  MadeInvitationView,
  MembersView,
  OrganisationsView,
} from "./OrganisationViews.tsx";
import { attempt, call, onPress, onSubmit, part, put, startOwnPage } from "./own-page.tsx";
import { showRetention } from "./retention.tsx";

/** The organisation whose members are shown; null: only the list. */
const owner = new URLSearchParams(location.search).get("owner");
const pathOf = (...parts: string[]) =>
  `/v1/organisations/${[owner ?? "", ...parts].map(encodeURIComponent).join("/")}`;
const page = location.pathname;

let me = "";
let isAdmin = false;

/** Key under which the tab stores an invitation while its reader signs in. */
const KEPT = "assay-invitation";

/** Removes the token of an invitation from the page's address, so that no history contains it. */
function keptInvitation(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("invitation");
  if (token !== null) {
    sessionStorage.setItem(KEPT, token);
    history.replaceState(null, "", `${page}${location.search}`);
  }
  return sessionStorage.getItem(KEPT);
}

async function show({ account, organisations }: SignedIn): Promise<void> {
  me = account.owner;
  put("[data-organisations]", <OrganisationsView organisations={organisations} shown={owner} />);
  await showInvitation();
  if (owner === null) return;
  isAdmin = organisations.some((one) => one.owner === owner && one.role === "admin");
  await showMembers();
  findPart(document, "[data-admin]").hidden = !isAdmin;
  if (isAdmin) {
    await Promise.all([
      part("[data-invitations]", showInvitations),
      part("[data-domains]", showDomains),
      part("[data-retention]", () => showRetention(callAsOwner)),
    ]);
  }
  const name = organisations.find((one) => one.owner === owner)?.name;
  findPart(document, "#organisation").textContent = name ? `${name} (${owner})` : owner;
  findPart(document, "[data-organisation]").hidden = false;
}

const invited = (token: string) => ({ "x-invitation": token });

async function showInvitation(): Promise<void> {
  if (invitation === null) return;
  try {
    const found = await call<Invitation>("/v1/invitation", { headers: invited(invitation) });
    put("[data-invitation]", <InvitationView invitation={found} />);
  } catch (error) {
    sessionStorage.removeItem(KEPT);
    put("[data-invitation]", <p class="notice">{(error as Error).message}</p>);
  }
}

async function showMembers(): Promise<void> {
  const { members } = await call<{ members: Member[] }>(pathOf("members"));
  put("[data-members]", <MembersView members={members} me={me} isAdmin={isAdmin} />);
}

async function showInvitations(): Promise<void> {
  type Listed = { invitations: Invitation[] };
  const { invitations } = await call<Listed>(pathOf("invitations"));
  put("[data-invitations]", <InvitationsView invitations={invitations} />);
}

async function showDomains(): Promise<void> {
  const { domains } = await call<{ domains: Domain[] }>(pathOf("domains"));
  put("[data-domains]", <DomainsView domains={domains} />);
}

/** Calls the API as the organisation, whichever account the reader's pages act for. */
const callAsOwner: typeof call = (path, its = {}) =>
  call(path, { ...its, headers: { [OWNER_HEADER]: owner ?? "" } });

const setRole = (person: string, role: string) =>
  call(pathOf("members", person), { method: "PATCH", body: { role } });
const removeMember = (person: string) => call(pathOf("members", person), { method: "DELETE" });

const invitation = keptInvitation();

onSubmit("[data-new-organisation]", async (form) => {
  const body = Object.fromEntries(new FormData(form));
  const made = await call<Organisation>("/v1/organisations", { method: "POST", body });
  location.assign(`${page}?owner=${encodeURIComponent(made.owner)}`);
});
onSubmit("[data-new-invitation]", async (form) => {
  const { role, person, days } = Object.fromEntries(new FormData(form));
  const body = { role, days: Number(days), ...(person && { person }) };
  const made = await call<CreatedInvitation>(pathOf("invitations"), { method: "POST", body });
  put("[data-made]", <MadeInvitationView made={made} />);
  form.reset();
  await showInvitations();
});
onSubmit("[data-new-domain]", async (form) => {
  const domain = String(new FormData(form).get("domain")).trim();
  await call(pathOf("domains"), { method: "POST", body: { domain } });
  form.reset();
  await showDomains();
});
onPress({
  async check(domain) {
    say(`Checking ${domain}…`);
    const { problem } = await call<Domain>(pathOf("domains", domain, "check"), { method: "POST" });
    say(problem === null ? `${domain} is verified.` : `${domain} is not proven: ${problem}.`);
    await showDomains();
  },
  async drop(domain) {
    if (!confirm(`Give ${domain} up? It is not shown any more.`)) return;
    await call(pathOf("domains", domain), { method: "DELETE" });
    await showDomains();
  },
  async answer(given) {
    if (given === "accept" && invitation !== null) {
      const headers = invited(invitation);
      const joined = await call<Invitation>("/v1/invitation/accept", { method: "POST", headers });
      sessionStorage.removeItem(KEPT);
      return location.assign(`${page}?owner=${encodeURIComponent(joined.owner)}`);
    }
    sessionStorage.removeItem(KEPT);
    put("[data-invitation]", null);
  },
  async remove(person) {
    const what = person === me ? `Leave ${owner}?` : `Remove ${person} from ${owner}?`;
    if (!confirm(`${what} Keys made for it by this member end.`)) return;
    await removeMember(person);
    if (person === me) return location.assign(page);
    await showMembers();
  },
  async hand(person) {
    if (!confirm(`Make ${person} an admin of ${owner}, and leave it yourself?`)) return;
    await setRole(person, "admin");
    await removeMember(me);
    location.assign(page);
  },
  async revoke(id) {
    await call(pathOf("invitations", id), { method: "DELETE" });
    put("[data-made]", null);
    await showInvitations();
  },
});
findPart(document, "[data-members]").addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  const { role: person = "" } = target.dataset;
  void attempt(async () => {
    try {
      await setRole(person, target.value);
      // Readers who give up their own admin role see less from now on.
      if (person === me) location.reload();
    } finally {
      await showMembers();
    }
  });
});
void startOwnPage(show);
