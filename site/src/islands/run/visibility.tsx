import type { Run } from "#shared/contracts/run.ts";
import type { VisibilityChange } from "#shared/contracts/submissions/run-requests.ts";
import { type Call, callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { actBySession, keptKey } from "../page-access.ts";
import { readSession } from "../session.tsx";

type Visibility = Run["visibility"];
type Shown = Pick<Run, "id" | "visibility" | "model">;

const seenBy: Record<Visibility, string> = {
  public: "Everybody sees this run, on boards and in lists.",
  unlisted: "All who know its id see this run.",
  private: "Only your account, and those you give a link, see this run.",
};

export const levels: readonly Visibility[] = ["public", "unlisted", "private"];

const LevelsView = ({ visibility }: Shown) => (
  <section class="notice" aria-labelledby="visibility">
    <h2 id="visibility">Who sees this run</h2>
    <p>{seenBy[visibility]}</p>
    <p class="form-row">
      {levels
        .filter((level) => level !== visibility)
        .map((level) => (
          <button type="button" data-level={level}>
            Make {level}…
          </button>
        ))}
    </p>
    <div data-planned role="status"></div>
  </section>
);

/** The effects of a change, and a button that makes it. */
export const PlannedView = ({
  change: { to, shows, hides },
}: {
  change: Pick<VisibilityChange, "to" | "shows" | "hides">;
}) => (
  <>
    <p>Made {to}, it</p>
    <ul>
      {shows.map((what) => (
        <li>shows {what}</li>
      ))}
      {hides.map((what) => (
        <li>leaves {what}</li>
      ))}
    </ul>
    <p class="form-row">
      <button type="button" class="action" data-confirm={to}>
        Make {to}
      </button>
      <button type="button" data-confirm="">
        Cancel
      </button>
    </p>
  </>
);

/** How the reader may change the run: with the tab's key, or a session of the run's account; null if they may not. */
async function accessTo({ model }: Shown): Promise<Pick<Call, "key"> | null> {
  const key = keptKey();
  if (key !== null) return { key };
  const signedIn = await readSession();
  const [owner = ""] = model.slug.split("/");
  if (signedIn === null) return null;
  const { account, organisations } = signedIn;
  const isTheirs = organisations.some((one) => one.owner === owner && one.role !== "read");
  if (owner !== account.owner && !isTheirs) return null;
  actBySession(account.csrfToken ?? "", isTheirs ? owner : null);
  return {};
}

/** Lets a run's account change its visibility: first shows what others would see, then asks for confirmation. */
export async function offerVisibility(place: HTMLElement, run: Shown): Promise<void> {
  const access = await accessTo(run);
  if (access === null) return;
  place.innerHTML = String(<LevelsView {...run} />);
  const planned = findPart(place, "[data-planned]");
  const path = `/v1/runs/${encodeURIComponent(run.id)}`;
  const change = async <T,>(visibility: string, query = "") =>
    (await callApi<T>(`${path}${query}`, { method: "PATCH", body: { visibility }, ...access }))
      .value;
  const press = async ({ level, confirm }: DOMStringMap) => {
    if (level !== undefined) {
      const would = await change<VisibilityChange>(level, "?dryRun=true");
      planned.innerHTML = String(<PlannedView change={would} />);
    } else if (confirm) {
      const { visibility } = await change<Run>(confirm);
      await offerVisibility(place, { ...run, visibility });
      findPart(place, "[data-planned]").textContent = `It is ${visibility} now.`;
    } else if (confirm === "") planned.replaceChildren();
  };
  place.onclick = ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    press(target.dataset).catch((error: Error) => {
      planned.textContent = `Nothing was changed: ${error.message}.`;
    });
  };
}
