import type { Run } from "#shared/contracts/run.ts";
import { metricIn } from "../../report/shown-run.ts";
import { getJson } from "../api.ts";
import { type DatasetOption, datasetRef } from "../dataset-options.ts";
import { fillSelect } from "../fill-select.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { countProblem } from "./compare-query.ts";
import { loadBoard, loadDatasets } from "./load-board.ts";
import { type RunChoice, type RunTraits, runChoice, whyNotComparable } from "./run-choice.ts";
import { RunList } from "./run-list.ts";

/** The dataset to choose from: by name, or as a run has it. */
type WantedDataset = string | Pick<DatasetOption, "name" | "version"> | null;

/** The form in which runs are chosen: suite, dataset, then runs of its board, and others by id. */
export class Picker {
  #form: HTMLFormElement;
  #suites: readonly ListedSuite[];
  #list: RunList;
  #traits: RunTraits | null = null;
  /** Ends what is loaded for a choice that has been changed since. */
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

  /** Offers the runs of a board, with some ticked, whether or not they stand on it. */
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

  /** A form of its own, that Enter in its field adds and does not compare. */
  get #addBy() {
    return findPart<HTMLFormElement>(document, "#add-run");
  }

  #part<Part extends HTMLElement>(selector: string): Part {
    return findPart<Part>(this.#form, selector);
  }

  #say(text: string): void {
    this.#part("[data-problem]").textContent = text;
  }

  /** The metric that ranks; that of the suite where there is no board. */
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

  /** Ticks a run; the first one says which board there is to choose from. */
  async #take(run: Run, isFirst: boolean): Promise<void> {
    const isShown = whyNotComparable(run, this.#traits) === null && this.#traits !== null;
    if (isFirst && !isShown) return this.show(run.suite, run.dataset, [runChoice(run)]);
    this.#list.add(runChoice(run));
  }
}
