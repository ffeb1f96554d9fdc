import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { metricIn } from "../../report/shown-run.ts";
import { getJson } from "../api.ts";
import { ApiError } from "../api-error.ts";
import {
  type DatasetOption,
  datasetOptions,
  datasetRef,
  listedDatasets,
} from "../dataset-options.ts";
import { fillSelect } from "../fill-select.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { countProblem, fewestRuns, mostRuns } from "./compare-query.ts";
import { RunChoices } from "./RunChoices.tsx";
import {
  boardChoices,
  boardTraits,
  type RunChoice,
  type RunTraits,
  runChoice,
  whyNotComparable,
} from "./run-choice.ts";

/** The dataset to choose from: by name, or from a run. */
type WantedDataset = string | Pick<DatasetOption, "name" | "version"> | null;

/** The form in which runs are chosen: suite, dataset, then runs of its board, and others by id. */
export class Picker {
  #form: HTMLFormElement;
  #suites: readonly ListedSuite[];
  #list: RunList;
  #traits: RunTraits | null = null;
  /** Aborts loading when the choice changes. */
  #loading = new AbortController();

  constructor(
    form: HTMLFormElement,
    suites: readonly ListedSuite[],
    compare: (runs: string[]) => void,
  ) {
    this.#form = form;
    this.#suites = suites;
    this.#list = new RunList(form, () => this.#say(""));
    this.#suite.addEventListener("change", () => this.show(this.#suite.value, null));
    this.#dataset.addEventListener("change", () =>
      this.show(this.#suite.value, this.#dataset.value),
    );
    this.#addBy.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#add();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { chosen } = this.#list;
      const problem = countProblem(chosen.length);
      this.#say(problem ?? "");
      if (problem === null) compare(chosen);
      else this.#list.focus();
    });
  }

  /** Offers the runs of a board, with some ticked, even if these are not on it. */
  async show(suiteId: string, dataset: WantedDataset, ticked: readonly RunChoice[] = []) {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const suites = this.#suites.map(({ id, label }) => ({ value: id, label }));
    fillSelect(this.#suite, suites, suiteId, "No suites");
    this.#say("");
    try {
      const options = await loadDatasets(this.#suite.value, signal);
      const named = typeof dataset === "object" && dataset ? datasetRef(options, dataset) : dataset;
      const listed = options.map(({ ref, label }) => ({ value: ref, label }));
      if (named !== null && !options.some(({ ref }) => ref === named)) {
        listed.push({ value: named, label: named });
      }
      fillSelect(this.#dataset, listed, named, "No datasets");
      const board = await loadBoard(this.#suite.value, this.#dataset.value, signal);
      const known = new Set(board.choices.map(({ run }) => run));
      this.#traits = board.traits;
      this.#list.offer({
        choices: [...ticked.filter(({ run }) => !known.has(run)), ...board.choices],
        ticked: ticked.map(({ run }) => run),
        headline: this.#metric(board.headline),
        notice: board.notice,
      });
    } catch (error) {
      if (!signal.aborted) this.#say(`The board could not be loaded: ${(error as Error).message}.`);
    }
  }

  get #suite() {
    return this.#part<HTMLSelectElement>("[name=suite]");
  }

  get #dataset() {
    return this.#part<HTMLSelectElement>("[name=dataset]");
  }

  /** A separate form, so that Enter in its field adds a run instead of comparing. */
  get #addBy() {
    return findPart<HTMLFormElement>(document, "#add-run");
  }

  #part<Part extends HTMLElement>(selector: string): Part {
    return findPart<Part>(this.#form, selector);
  }

  #say(text: string): void {
    this.#part("[data-problem]").textContent = text;
  }

  /** The ranking metric; without a board, that of the suite. */
  #metric(headline: string | null) {
    const suite = this.#suites.find(({ id }) => id === this.#suite.value);
    return metricIn(suite?.metrics ?? [], headline ?? suite?.headline ?? "");
  }

  async #add(): Promise<void> {
    const field = findPart<HTMLInputElement>(document, "#add-id");
    const id = field.value.trim();
    if (id === "") return;
    this.#say("");
    try {
      const run = await getJson<Run>(`/v1/runs/${encodeURIComponent(id)}`);
      const isFirst = this.#list.chosen.length === 0;
      const reason = whyNotComparable(run, isFirst ? null : this.#traits);
      if (reason !== null) return this.#say(reason);
      field.value = "";
      await this.#take(run, isFirst);
    } catch (error) {
      this.#say(`The run could not be added: ${(error as Error).message}.`);
    }
  }

  /** Ticks a run; the first one determines the board to choose from. */
  async #take(run: Run, isFirst: boolean): Promise<void> {
    const isShown = whyNotComparable(run, this.#traits) === null && this.#traits !== null;
    if (isFirst && !isShown) return this.show(run.suite, run.dataset, [runChoice(run)]);
    this.#list.add(runChoice(run));
  }
}

interface LoadedBoard {
  choices: RunChoice[];
  /** What the runs have in common; null without a board. */
  traits: RunTraits | null;
  /** Id of the metric that ranks them; null without a board. */
  headline: string | null;
  /** Why there is no run to choose. */
  notice: string | null;
}

async function loadDatasets(suite: string, signal: AbortSignal): Promise<DatasetOption[]> {
  return datasetOptions(await listedDatasets(suite, signal));
}

/** The runs of a suite's board on a dataset; none if no run has finished on it. */
async function loadBoard(
  suite: string,
  dataset: string,
  signal: AbortSignal,
): Promise<LoadedBoard> {
  const path = `/v1/leaderboard?${new URLSearchParams({ suite, dataset })}`;
  try {
    const board = await getJson<Leaderboard>(path, { signal });
    const { headline } = board;
    return { choices: boardChoices(board), traits: boardTraits(board), headline, notice: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const notice = "No run is on a board of this dataset yet. Runs can be added by their ids.";
    return { choices: [], traits: null, headline: null, notice };
  }
}

interface Offer {
  choices: readonly RunChoice[];
  ticked: readonly string[];
  headline: Metric;
  /** Why there is no run to choose. */
  notice: string | null;
}

const nothing: Offer = { choices: [], ticked: [], headline: metricIn([], ""), notice: null };

/** The list of runs to tick, with a search field and the number of ticked runs. */
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

  get chosen(): string[] {
    return [...this.#chosen];
  }

  offer(offer: Offer): void {
    this.#offer = offer;
    this.#chosen = new Set(offer.ticked);
    this.#draw();
  }

  /** Ticks a run, and adds it to the list if necessary. */
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
    // Clears the search, so that the added run is visible.
    this.#finder.value = "";
    const { choices, headline, notice } = this.#offer;
    this.#list.innerHTML = String(RunChoices({ choices, chosen: this.#chosen, headline }));
    if (choices.length === 0) this.#list.textContent = notice ?? "There is no run to choose.";
    this.#count();
  }

  #count(): void {
    const shown = this.#list.querySelectorAll("[data-name]:not([hidden])").length;
    const found = this.#finder.value.trim() === "" ? "" : `; ${shown} found`;
    const text = `${this.#chosen.size} chosen of ${fewestRuns} to ${mostRuns}${found}`;
    findPart(this.#form, "[data-count]").textContent = text;
  }

  #find(): void {
    const wanted = this.#finder.value.trim().toLowerCase();
    for (const row of this.#list.querySelectorAll<HTMLElement>("[data-name]")) {
      row.hidden = !row.dataset["name"]?.includes(wanted);
    }
    this.#count();
  }
}
