import type { SignIn } from "#shared/contracts/keys/account.ts";
import { apiOrigin, type Call, callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { readSession, type SignedIn } from "../session.tsx";
import { SignInView } from "./AccountViews.tsx";

/** Messages for failed sign-ins, by the problem in the page's address. */
const problems: Record<string, string> = {
  denied: "The sign-in was cancelled at the provider.",
  invalid: "The provider did not confirm this sign-in, or its time was over. Sign in again.",
  unavailable: "The provider could not be reached. Try again later.",
};

export const put = (selector: string, view: unknown): void => {
  findPart(document, selector).innerHTML = String(view || "");
};

/** Calls the API with the session. */
export const call = async <T,>(path: string, its: Call = {}): Promise<T> =>
  (await callApi<T>(path, { bySession: true, ...its })).value;

/** Performs the action of a form or button; on failure, shows why. */
export async function attempt(step: () => Promise<unknown>): Promise<void> {
  try {
    say(null);
    await step();
  } catch (error) {
    say(`That failed: ${(error as Error).message}.`);
    // Otherwise a reader far down on a long page would not see it.
    findPart(document, "[data-state]").scrollIntoView({ block: "center" });
  }
}

/** Loads and shows a part of the page; a failure is shown in place of this part only. */
export async function part(selector: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const text = `This could not be loaded: ${(error as Error).message}. Reload the page.`;
    put(selector, <p class="notice">{text}</p>);
  }
}

/** Runs `step` when the page's form is submitted. */
export function onSubmit(
  selector: string,
  step: (form: HTMLFormElement) => Promise<unknown>,
): void {
  const form = findPart<HTMLFormElement>(document, selector);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => step(form));
  });
}

/** Calls the action that a pressed button names in its data, such as `data-revoke`, with the value. */
export function onPress(actions: Record<string, (value: string) => Promise<unknown>>): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button") : null;
    for (const [name, act] of Object.entries(actions)) {
      const value = button?.dataset[name];
      if (value !== undefined) void attempt(() => act(value));
    }
  });
}

/** Shows a page of the signed-in person, or the ways to sign in. */
export async function startOwnPage(show: (signedIn: SignedIn) => Promise<void>): Promise<void> {
  if (apiOrigin() !== location.origin) {
    return say(`Sign in at the service itself: ${apiOrigin()}${location.pathname}`);
  }
  try {
    const signedIn = await readSession();
    if (signedIn === null) return await offerSignIn();
    await show(signedIn);
    findPart(document, "[data-signed-in]").hidden = false;
    say(null);
  } catch (error) {
    say(`The account could not be loaded: ${(error as Error).message}. Reload the page.`);
  }
}

async function offerSignIn(): Promise<void> {
  const { value } = await callApi<SignIn>("/v1/sign-in");
  const query = new URLSearchParams(location.search);
  const problem = query.get("problem") ?? "";
  query.delete("problem");
  const search = query.size > 0 ? `?${query}` : "";
  const to = query.get("to") ?? `${location.pathname}${search}`;
  put("[data-sign-in]", <SignInView providers={value.providers} to={to} />);
  say(problems[problem] ?? null);
}
