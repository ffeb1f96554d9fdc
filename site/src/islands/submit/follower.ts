import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { metricIn } from "../../report/shown-run.ts";
import { ApiError } from "../api-error.ts";
import { findPart } from "../find-part.ts";
import { controlRun } from "./control-run.ts";
import { followRuns } from "./follow-runs.ts";
import { placedErrors } from "./placed-errors.ts";
import { type ProgressView, progressView } from "./progress-view.ts";
import type { RunAction } from "./run-progress.ts";
import { SubmissionHead } from "./SubmissionHead.tsx";
import { showErrors } from "./show-errors.ts";
import type { SubmitPage } from "./submit-page.ts";
import { UnknownSubmission } from "./UnknownSubmission.tsx";
import { waiter } from "./waiter.ts";

/** Shows how the runs of a submission go on, and does to them what their owner wants. */
export class Follower {
  readonly #page: SubmitPage;
  readonly #pause = waiter();
  #wanted = new AbortController();
  #view: ProgressView | null = null;

  constructor(page: SubmitPage) {
    this.#page = page;
    page.outcome.addEventListener("click", ({ target }) => {
      if (target instanceof Element) this.#act(target.closest("[data-action]"));
    });
    // Enter in the field of a limit resumes.
    page.outcome.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.target instanceof Element) {
        this.#act(event.target.querySelector("[data-action=resume]"));
      }
    });
  }

  /** Follows no submission any more. */
  stop(): void {
    this.#wanted.abort();
    this.#view = null;
  }

  /** Shows the runs of a submission until all have ended. */
  async follow(id: string): Promise<void> {
    this.stop();
    this.#wanted = new AbortController();
    const { signal } = this.#wanted;
    const { outcome } = this.#page;
    outcome.innerHTML = String(SubmissionHead({ id }));
    const trouble = findPart(outcome, "[data-trouble]");
    const view = progressView(findPart(outcome, "[data-runs]"), this.#metricOf, (text) =>
      this.#page.say(text),
    );
    this.#view = view;
    try {
      const runs = await followRuns(id, {
        signal,
        wait: this.#pause.wait,
        onRun: (run) => {
          trouble.textContent = "";
          view.show(run);
        },
        onTrouble: (text) => {
          trouble.textContent = `Nothing new is known just now: ${text}. Asking again soon.`;
        },
      });
      if (runs.length > 1) this.#page.say(`All ${runs.length} runs have ended.`);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) {
        outcome.innerHTML = String(UnknownSubmission({ id }));
        this.#page.toOutcome();
        return;
      }
      trouble.textContent = `This submission can't be followed: ${(error as Error).message}.`;
    }
  }

  readonly #metricOf = ({ suite, headline }: Run): Metric =>
    metricIn(this.#page.suite(suite)?.metrics ?? [], headline);

  async #act(button: HTMLButtonElement | null): Promise<void> {
    if (button === null) return;
    const { action, run } = button.dataset as { action: RunAction; run: string };
    if (action === "cancel" && !confirm("Cancel this run? What has been answered stays.")) return;
    const limit = button.form?.querySelector<HTMLInputElement>("[name=limit]")?.value ?? null;
    button.disabled = true;
    try {
      this.#view?.show(await controlRun(run, action, { key: this.#page.key, limit }));
      this.#pause.wake();
    } catch (error) {
      const errors = placedErrors(error).filter(({ field }) => field === "key");
      if (errors.length > 0) showErrors(this.#page.form, errors);
      this.#page.say(`The run was not changed: ${(error as Error).message}.`, true);
    } finally {
      button.disabled = false;
    }
  }
}
