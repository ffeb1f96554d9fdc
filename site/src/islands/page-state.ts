import { findPart } from "./find-part.ts";
import { isSignedIn, keepKey } from "./page-access.ts";

/** Shows what the page is doing, or a problem; null clears it. */
export function say(text: string | null): void {
  const state = findPart(document, "[data-state]");
  state.textContent = text ?? "";
  state.hidden = text === null;
}

/** Shows the page's form with a value in its first field; submitting it changes the page's address. */
export function offerForm(given: string): void {
  offerKey();
  const form = findPart<HTMLFormElement>(document, "[data-form]");
  findPart<HTMLInputElement>(form, "input").value = given;
  form.hidden = false;
  // The content security policy forbids native form submission.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    location.search = new URLSearchParams(fields).toString();
  });
}

/** Shows the form for the API key of a private run's owner, which never appears in the page's address. */
function offerKey(): void {
  const form = document.querySelector<HTMLFormElement>("[data-key-form]");
  if (form === null) return;
  form.hidden = false;
  const signIn = findPart(form, "[data-signed-out]");
  signIn.hidden = isSignedIn();
  const to = new URLSearchParams({ to: `${location.pathname}${location.search}` });
  findPart<HTMLAnchorElement>(signIn, "a").search = `${to}`;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keepKey(String(new FormData(form).get("key")).trim());
    location.reload();
  });
}
