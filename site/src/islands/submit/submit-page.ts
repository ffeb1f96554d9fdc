import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import type { FormError } from "./form-values.ts";
import { showErrors } from "./placed-errors.ts";
import type { shownCommand } from "./shown-command.ts";

/** The parts of the submit page, and its messages. */
export class SubmitPage {
  readonly form = findPart<HTMLFormElement>(document, "#submission");
  /** Container of an estimate or of the progress of runs. */
  readonly outcome = findPart(document, "#outcome");
  readonly #status = findPart(document, "#submission-status");
  suites: readonly ListedSuite[] = [];
  #focused: Element | null = null;

  /** The API key of Assay, which is read only for sending and never stored. */
  get key(): string {
    return findPart<HTMLInputElement>(this.form, "[name=key]").value.trim();
  }

  suite(id: string): ListedSuite | undefined {
    return this.suites.find((suite) => suite.id === id);
  }

  say(text: string, isError = false): void {
    this.#status.textContent = text;
    this.#status.classList.toggle("field-error", isError);
  }

  /** Shows errors, next to their fields if possible. */
  refuse(errors: readonly FormError[]): void {
    const elsewhere = showErrors(this.form, errors).map((detail) => ` ${detail}.`);
    const fields = this.form.querySelectorAll("[data-error]:not(:empty)").length;
    const atFields =
      fields === 0 ? "" : ` ${fields} ${fields === 1 ? "field needs" : "fields need"} a change.`;
    this.say(`Nothing was submitted.${elsewhere.join("")}${atFields}`, true);
  }

  showCommand({ command, note }: ReturnType<typeof shownCommand>): void {
    if (command !== null) findPart(document, "#submit-command code").textContent = command;
    findPart(document, "[data-command-note]").textContent = note;
  }

  /** Moves the focus to the result below the form. */
  toOutcome(): void {
    findPart(this.outcome, "#outcome-title").focus();
  }

  /** Enables sending, or disables it while the form is being sent; a disabled button gets its focus back. */
  allowSending(isAllowed: boolean): void {
    if (!isAllowed) this.#focused = document.activeElement;
    for (const button of this.form.querySelectorAll<HTMLButtonElement>(
      "[data-send], [data-connect]",
    )) {
      button.disabled = !isAllowed;
      const hasFocus = document.activeElement !== document.body;
      if (isAllowed && !hasFocus && button === this.#focused) button.focus({ preventScroll: true });
    }
  }
}
