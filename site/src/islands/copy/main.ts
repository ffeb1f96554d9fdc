import { copyButton } from "./copy-button.ts";

// Only secure contexts have a clipboard; elsewhere there are no buttons.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copies]")) {
    const code = document.querySelector<HTMLElement>(`#${button.dataset["copies"]} code`);
    if (code) copyButton(button, code, navigator.clipboard);
  }
}
