import type { Dataset, DatasetCheck } from "#shared/contracts/datasets/dataset.ts";
import { callApi } from "../api.ts";
import { ApiError } from "../api-error.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { offerSession } from "../session.tsx";
import { CheckView } from "./CheckView.tsx";
import { datasetRows } from "./dataset-upload.ts";

/** Rows that the preview shows. */
const SHOWN = 3;
const MOST_BYTES = 25 * 2 ** 20;

const form = findPart<HTMLFormElement>(document, "[data-dataset]");
const place = findPart(document, "[data-check]");
let isBusy = false;
void offerSession();

const text = (name: string) => String(new FormData(form).get(name) ?? "").trim();
const filesOf = (data: FormData) =>
  ["file", "folder"].flatMap((name) => data.getAll(name)).filter((one) => one instanceof File);

/** The chosen mapping file; null if there is none. */
function mappingFile(): File | null {
  const file = new FormData(form).get("mapping");
  return file instanceof File && file.name !== "" ? file : null;
}

/** Checks the rows; with `store`, uploads them. Throws an error that says what to do. */
async function send(store: boolean): Promise<void> {
  const fields = {
    suite: text("suite"),
    map: text("map"),
    tags: text("tags"),
    schema: text("schema"),
    file: mappingFile(),
  };
  const { suite, rows, mapping } = await datasetRows(filesOf(new FormData(form)), fields);
  const jsonl = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (new Blob([jsonl]).size > MOST_BYTES) {
    throw new Error(`the rows have more than ${MOST_BYTES / 2 ** 20} MiB: upload them in parts`);
  }
  const name = text("name");
  const query = new URLSearchParams({
    suite,
    name: name || "preview",
    dryRun: "true",
  });
  const call = { method: "POST", jsonl, key: text("key") } as const;
  const check = (await callApi<DatasetCheck>(`/v1/datasets?${query}`, call)).value;
  place.innerHTML = String(CheckView({ check, rows: rows.slice(0, SHOWN) }));
  if (!store) return say("Checked. Nothing was stored.");
  const visibility = text("visibility");
  if (name === "" || visibility === "") throw new Error("give a name, and choose who can see it");
  query.delete("dryRun");
  query.set("visibility", visibility);
  if (text("license") !== "") query.set("license", text("license"));
  if (mapping !== null) query.set("mapping", JSON.stringify(mapping));
  if (new FormData(form).has("allowPartial")) query.set("allowPartial", "true");
  const { version, samples } = (await callApi<Dataset>(`/v1/datasets?${query}`, call)).value;
  const submit = new URLSearchParams({ suite, dataset: `${name}@${version}` });
  say(`Stored: ${name}, version ${version.slice(0, 12)}. Samples: ${samples}.`);
  const link = findPart<HTMLAnchorElement>(document, "[data-stored]");
  link.href = `${link.dataset["stored"]}?${submit}`;
  link.hidden = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  say("Reading and checking the rows …");
  try {
    await send(event.submitter?.dataset["send"] === "store");
  } catch (error) {
    const reason = (error as Error).message;
    say(error instanceof ApiError ? `Not stored: ${reason}.` : `That can't be sent: ${reason}.`);
  } finally {
    isBusy = false;
  }
});
