import { findPart } from "./find-part.ts";

/** Says what a page is doing, or why it can't; null when there is nothing to say. */
export function say(text: string | null): void {
  const state = findPart(document, "[data-state]");
  state.textContent = text ?? "";
  state.hidden = text === null;
}

/** Shows the page's form with what was given to its first field; what it is sent with becomes the page's address. */
export function offerForm(given: string): void {
  const form = findPart<HTMLFormElement>(document, "[data-form]");
  findPart<HTMLInputElement>(form, "input").value = given;
  form.hidden = false;
  // Forms are sent nowhere by themselves: the content security policy forbids it.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    location.search = new URLSearchParams(fields).toString();
  });
}
