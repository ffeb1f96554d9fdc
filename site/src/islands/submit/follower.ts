import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Submission } from "#shared/contracts/submissions/submission.ts";
import { metricIn } from "../../report/shown-run.ts";
import { callApi, getJson } from "../api.ts";
import { ApiError, isFinal } from "../api-error.ts";
import { findPart } from "../find-part.ts";
import { placedErrors, showErrors } from "./placed-errors.ts";
import {
  RunActions,
  RunPlace,
  RunState,
  runTitle,
  SubmissionHead,
  UnknownSubmission,
} from "./RunProgress.tsx";
import { actionsOf, hasEnded, isOutOfMoney, type RunAction, stateText } from "./run-progress.ts";
import type { SubmitPage } from "./submit-page.ts";

/** Shows the progress of a submission's runs, with their owner's controls. */
export class Follower {
  readonly #page: SubmitPage;
  readonly #pause = waiter();
  #wanted = new AbortController();
  #view: ProgressView | null = null;
  #isActing = false;

  constructor(page: SubmitPage) {
    this.#page = page;
    page.outcome.addEventListener("click", ({ target }) => {
      if (target instanceof Element) this.#act(target.closest("[data-action]"));
    });
    // Enter in the field of a limit resumes the run.
    page.outcome.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.target instanceof Element) {
        this.#act(event.target.querySelector("[data-action=resume]"));
      }
    });
  }

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
          trouble.textContent = `Status not available: ${text}. Retrying.`;
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
    if (button === null || this.#isActing) return;
    const { action, run } = button.dataset as { action: RunAction; run: string };
    if (action === "cancel" && !confirm("Cancel this run? Its answers are kept.")) return;
    const limit = button.form?.querySelector<HTMLInputElement>("[name=limit]")?.value ?? null;
    // A disabled button would lose the focus.
    this.#isActing = true;
    try {
      this.#view?.show(await controlRun(run, action, { key: this.#page.key, limit }));
      this.#pause.wake();
    } catch (error) {
      const errors = placedErrors(error).filter(({ field }) => field === "key");
      if (errors.length > 0) showErrors(this.#page.form, errors);
      this.#page.say(`The run was not changed: ${(error as Error).message}.`, true);
    } finally {
      this.#isActing = false;
    }
  }
}

/** The cost limit of a resumed run: undefined if none was requested, null for no limit. */
export function resumeBody(limit: string | null): { maxCostUsd: number | null } | undefined {
  if (limit === null) return undefined;
  return { maxCostUsd: limit.trim() === "" ? null : Number(limit) };
}

/** Performs an action on a run; returns its new state. */
async function controlRun(
  id: string,
  action: RunAction,
  { key, limit }: { key: string; limit: string | null },
): Promise<Run> {
  const body = action === "resume" ? resumeBody(limit) : undefined;
  const path = `/v1/runs/${encodeURIComponent(id)}/${action}`;
  const call = { method: "POST", key, ...(body && { body }) } as const;
  return (await callApi<Run>(path, call)).value;
}

interface Following {
  signal: AbortSignal;
  /** Called with every state of a run. */
  onRun: (run: Run) => void;
  /** Called with the reason why updates fail. */
  onTrouble: (text: string) => void;
  /** Waits between two rounds; ends early after an action on a run. */
  wait: (seconds: number) => Promise<void>;
}

/** Wait if the API does not state it, s. */
const usualSeconds = 3;
/** Wait after a failed poll, s. */
const troubleSeconds = 10;
/** Seconds between the polls of a sweep's runs, to stay below the API's rate limit. */
const secondsByRun = 0.25;

/** Reads the runs of a submission until all have ended, at the API's interval. */
export async function followRuns(id: string, following: Following): Promise<Run[]> {
  const { signal, wait } = following;
  const path = `/v1/submissions/${encodeURIComponent(id)}`;
  const submission = await getJson<Submission>(path, { signal });
  const runs = new Map<string, Run>();
  for (let open = submission.runs.map((run) => run.id); open.length > 0; ) {
    const seconds = await readRuns(open, runs, following);
    open = open.filter((run) => !hasEnded(runs.get(run) ?? { status: "queued" }));
    if (open.length > 0) await wait(Math.max(seconds, open.length * secondsByRun));
    signal.throwIfAborted();
  }
  return submission.runs.flatMap((run) => runs.get(run.id) ?? []);
}

/** One round; returns the wait until the next one, s. */
async function readRuns(
  open: readonly string[],
  runs: Map<string, Run>,
  { signal, onRun, onTrouble }: Following,
): Promise<number> {
  let seconds: number | null = null;
  for (const id of open) {
    try {
      const path = `/v1/runs/${encodeURIComponent(id)}`;
      const { value, retryAfterSeconds } = await callApi<Run>(path, { signal });
      runs.set(id, value);
      onRun(value);
      const again = retryAfterSeconds ?? usualSeconds;
      if (!hasEnded(value)) seconds = Math.min(seconds ?? again, again);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || isFinal(error)) throw error;
      onTrouble(error.message);
      return error.retryAfterSeconds ?? troubleSeconds;
    }
  }
  return seconds ?? usualSeconds;
}

/** Draws runs while they progress. */
interface ProgressView {
  show(run: Run): void;
}

/** `say` announces important changes. */
function progressView(
  root: HTMLElement,
  metricOf: (run: Run) => Metric,
  say: (text: string) => void,
): ProgressView {
  const known = new Map<string, { state: string; actions: string }>();
  return {
    show(run) {
      const metric = metricOf(run);
      const state = `${run.status} ${run.phase}`;
      const actions = [...actionsOf(run), isOutOfMoney(run)].join();
      const before = known.get(run.id);
      known.set(run.id, { state, actions });
      if (before?.state !== state) say(`${runTitle(run)}: ${stateText(run)}.`);
      if (before === undefined) {
        root.insertAdjacentHTML("beforeend", String(RunPlace({ run, metric })));
        return;
      }
      const place = findPart(root, `[data-place="${CSS.escape(run.id)}"]`);
      findPart(place, "[data-part=state]").innerHTML = String(RunState({ run, metric }));
      // Drawn again only if the actions change, to keep the focus.
      if (before.actions === actions) return;
      const buttons = findPart(place, "[data-part=actions]");
      const hadFocus = buttons.contains(document.activeElement);
      buttons.innerHTML = String(RunActions({ run }));
      if (!hadFocus) return;
      // Without further actions, the link above them, which no poll draws again.
      const link = place.querySelector<HTMLElement>("[data-part=state] + p > a");
      (buttons.querySelector<HTMLElement>("input, button") ?? link)?.focus();
    },
  };
}

/** Waits that can be ended early: `wake` ends the current one. */
export function waiter() {
  let end = () => {};
  return {
    wait: (seconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1_000);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
