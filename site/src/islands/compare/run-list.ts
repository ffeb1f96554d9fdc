import type { Metric } from "#shared/contracts/metric.ts";
import { metricIn } from "../../report/shown-run.ts";
import { findPart } from "../find-part.ts";
import { fewestRuns, mostRuns } from "./compare-query.ts";
import { RunChoices } from "./RunChoices.tsx";
import type { RunChoice } from "./run-choice.ts";

/** What a list offers. */
interface Offer {
  choices: readonly RunChoice[];
  ticked: readonly string[];
  headline: Metric;
  /** Why there is nothing to choose. */
  notice: string | null;
}

const nothing: Offer = { choices: [], ticked: [], headline: metricIn([], ""), notice: null };

/** The runs to tick, a field that finds among them, and how many are ticked. */
export class RunList {
  readonly #form: HTMLFormElement;
  readonly #list: HTMLElement;
  #offer = nothing;
  #chosen = new Set<string>();

  constructor(form: HTMLFormElement, onTick: () => void) {
    this.#form = form;
    this.#list = findPart(form, "[data-choices]");
    this.#list.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.checked) this.#chosen.add(target.value);
      else this.#chosen.delete(target.value);
      this.#count();
      onTick();
    });
    this.#finder.addEventListener("input", () => this.#find());
  }

  /** The ticked runs. */
  get chosen(): string[] {
    return [...this.#chosen];
  }

  offer(offer: Offer): void {
    this.#offer = offer;
    this.#chosen = new Set(offer.ticked);
    this.#draw();
  }

  /** Ticks a run, whether or not it is in the list. */
  add(choice: RunChoice): void {
    const { choices } = this.#offer;
    const isKnown = choices.some(({ run }) => run === choice.run);
    this.#offer = { ...this.#offer, choices: isKnown ? choices : [choice, ...choices] };
    this.#chosen.add(choice.run);
    this.#draw();
  }

  focus(): void {
    this.#list.focus();
  }

  get #finder() {
    return findPart<HTMLInputElement>(this.#form, "[name=find]");
  }

  #draw(): void {
    // All are in sight, so that what was added is.
    this.#finder.value = "";
    const { choices, headline, notice } = this.#offer;
    this.#list.innerHTML = String(RunChoices({ choices, chosen: this.#chosen, headline }));
    if (choices.length === 0) this.#list.textContent = notice ?? "There is no run to choose.";
    this.#count();
  }

  #count(): void {
    const text = `${this.#chosen.size} chosen of ${fewestRuns} to ${mostRuns}`;
    findPart(this.#form, "[data-count]").textContent = text;
  }

  #find(): void {
    const wanted = this.#finder.value.trim().toLowerCase();
    for (const row of this.#list.querySelectorAll<HTMLElement>("[data-name]")) {
      row.hidden = !row.dataset["name"]?.includes(wanted);
    }
  }
}
