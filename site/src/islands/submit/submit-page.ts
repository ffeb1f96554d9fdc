import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import type { FormError } from "./form-values.ts";
import { showErrors } from "./show-errors.ts";
import type { shownCommand } from "./shown-command.ts";

/** The parts of the submit page, and what is said on it. */
export class SubmitPage {
  readonly form = findPart<HTMLFormElement>(document, "#submission");
  /** Place of an estimate or of the progress of runs. */
  readonly outcome = findPart(document, "#outcome");
  readonly #status = findPart(document, "#submission-status");
  suites: readonly ListedSuite[] = [];

  /** The key of Assay itself: it is read where it is sent, and kept nowhere. */
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

  /** Says what is wrong, next to the fields where it is about these. */
  refuse(errors: readonly FormError[]): void {
    const elsewhere = showErrors(this.form, errors).map((detail) => ` ${detail}.`);
    const fields = this.form.querySelectorAll("[data-error]:not(:empty)").length;
    const atFields =
      fields === 0 ? "" : ` ${fields} ${fields === 1 ? "field needs" : "fields need"} a change.`;
    this.say(`Nothing was submitted.${elsewhere.join("")}${atFields}`, true);
  }

  /** Shows the command that does what the form would. */
  showCommand({ command, note }: ReturnType<typeof shownCommand>): void {
    if (command !== null) findPart(document, "#submit-command code").textContent = command;
    findPart(document, "[data-command-note]").textContent = note;
  }

  /** Moves to what came of the form, below it. */
  toOutcome(): void {
    findPart(this.outcome, "#outcome-title").focus();
  }

  /** Lets the form be sent, or not while it is. */
  allowSending(isAllowed: boolean): void {
    for (const button of this.form.querySelectorAll<HTMLButtonElement>("[data-send]")) {
      button.disabled = !isAllowed;
    }
  }
}
