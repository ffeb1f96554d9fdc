import type { Schema } from "../../data/docs/openapi.ts";
import { datasetOptions, listedDatasets } from "../dataset-options.ts";
import { fillSelect } from "../fill-select.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { OptionTable } from "./OptionTable.tsx";
import { otherDataset } from "./read-form.ts";

/** Choices in the page's address. */
interface Wanted {
  suite: string | null;
  dataset: string | null;
}

interface Opening {
  wanted: Wanted;
  onTrouble: (text: string) => void;
  /** Called when the usable parts of the form, or the datasets, change. */
  onShown: () => void;
}

/** Updates the available choices after each selection. */
export function openForm(
  form: HTMLFormElement,
  suites: readonly ListedSuite[],
  { wanted, onTrouble, onShown }: Opening,
): void {
  const suite = findPart<HTMLSelectElement>(form, "[name=suite]");
  const options = suites.map(({ id, label }) => ({ value: id, label }));
  fillSelect(suite, options, wanted.suite, "No suites");
  const shown = () => {
    showParts(form);
    onShown();
  };
  const choose = (dataset: string | null) => {
    const chosen = suites.find(({ id }) => id === suite.value);
    if (chosen) showSuite(form, chosen);
    offerDatasets(form, suite, dataset)
      .then(shown)
      .catch((error: Error) => onTrouble(`The datasets could not be loaded: ${error.message}.`));
  };
  suite.addEventListener("change", () => choose(null));
  form.addEventListener("change", shown);
  choose(wanted.dataset);
  shown();
}

async function offerDatasets(
  form: HTMLFormElement,
  suite: HTMLSelectElement,
  wanted: string | null,
): Promise<void> {
  const chosen = suite.value;
  const datasets = await listedDatasets(chosen);
  // The reader may have chosen another suite while the datasets were loading.
  if (suite.value !== chosen) return;
  const listed = datasetOptions(datasets).map(({ ref, label }) => ({ value: ref, label }));
  const isOther = wanted !== null && !listed.some(({ value }) => value === wanted);
  const other = { value: "", label: "Another, by its name" };
  const select = findPart<HTMLSelectElement>(form, "[name=dataset]");
  fillSelect(select, [...listed, other], isOther ? "" : wanted);
  if (isOther) findPart<HTMLInputElement>(form, `[name=${otherDataset}]`).value = wanted;
}

function showSuite(form: HTMLFormElement, { label, question, options }: ListedSuite): void {
  findPart(form, "[data-question]").textContent = question;
  findPart(form, "[data-options]").innerHTML = String(
    OptionTable({ label: `Options of ${label}`, schema: options as Schema }),
  );
}

/** Shows the parts of the form that the selection needs, and disables the others. */
function showParts(form: HTMLFormElement): void {
  const source = new FormData(form).get("source");
  for (const part of form.querySelectorAll<HTMLFieldSetElement>("[data-source]")) {
    part.hidden = part.dataset["source"] !== source;
    part.disabled = part.hidden;
  }
  const dataset = findPart<HTMLSelectElement>(form, "[name=dataset]");
  findPart(form, "[data-other-dataset]").hidden = dataset.disabled || dataset.value !== "";
}
