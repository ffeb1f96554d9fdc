import type { AccountView } from "#shared/contracts/keys/account.ts";
import type { Scope } from "#shared/contracts/keys/api-key.ts";
import type { Organisation } from "#shared/contracts/keys/organisation.ts";
import { callApi } from "./api.ts";
import { ApiError } from "./api-error.ts";
import { findPart } from "./find-part.ts";
import { actBySession, isSignedIn, keptOwner } from "./page-access.ts";

/** The account that this browser is signed in to. */
export interface SignedIn {
  account: AccountView;
  organisations: readonly Organisation[];
}

/** Reads the session, and makes the calls of this page use it; null without one. */
export async function readSession(): Promise<SignedIn | null> {
  // Avoids the request, because browsers log each reply of 401, which looks like a fault of the page.
  if (!isSignedIn()) return null;
  try {
    const { value: account } = await callApi<AccountView>("/v1/account", { bySession: true });
    if (account.csrfToken === null) return null;
    type Listed = { organisations: Organisation[] };
    const listed = await callApi<Listed>("/v1/organisations", { bySession: true });
    const { organisations } = listed.value;
    const owner = organisations.find((one) => one.owner === keptOwner())?.owner ?? null;
    actBySession(account.csrfToken, owner);
    return { account, organisations };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The accounts that the session can act for: the person, or one of the organisations. */
export const ActsForView = ({ account, organisations }: SignedIn) =>
  organisations.length > 0 && (
    <p class="field">
      <label for="f-acts-for">Act for</label>
      <select id="f-acts-for" data-acts-for>
        <option value="">{account.owner}, yourself</option>
        {organisations.map(({ owner, role }) => (
          <option value={owner} selected={owner === keptOwner()}>
            {owner}
            {role === "read" && ", to read only"}
          </option>
        ))}
      </select>
    </p>
  );

/** Applies the reader's choice, then calls `onChange`. */
export function listenToActsFor(
  root: ParentNode,
  { account }: SignedIn,
  onChange?: () => void,
): void {
  const select = root.querySelector<HTMLSelectElement>("[data-acts-for]");
  select?.addEventListener("change", () => {
    actBySession(account.csrfToken ?? "", select.value || null);
    onChange?.();
  });
}

const SessionView = (signedIn: SignedIn) => (
  <>
    <p class="hint">
      Signed in as <strong>{signedIn.account.owner}</strong>.{" "}
      <button type="button" data-use-key>
        Use a key instead
      </button>
    </p>
    <ActsForView {...signedIn} />
  </>
);

/** Shows who is signed in, instead of the page's field for a key. If this fails, the page still works with a key. */
export async function offerSession(): Promise<void> {
  const place = findPart(document, "[data-access]");
  const scope = place.dataset["access"] as Scope;
  const found = await readSession().catch(() => null);
  if (found === null || !found.account.scopes.includes(scope)) return;
  // Admins of the service act as themselves, because an organisation can't administer anything.
  const signedIn = scope === "admin" ? { ...found, organisations: [] } : found;
  if (scope === "admin") actBySession(found.account.csrfToken ?? "", null);
  const shown = findPart(place, "[data-session]");
  const key = findPart(place, "[data-key]");
  shown.innerHTML = String(<SessionView {...signedIn} />);
  key.hidden = true;
  listenToActsFor(shown, signedIn);
  findPart(shown, "[data-use-key]").addEventListener("click", () => {
    key.hidden = false;
    findPart(key, "input").focus();
  });
}
