import { type FormValues, textFields } from "./form-values.ts";
import { mostAnswerBytes, type ParsedAnswers, parseAnswers } from "./parse-answers.ts";

/** The option for typing a dataset that is not in the list. */
export const otherDataset = "otherDataset";

/** The values of the form, without the content of a chosen file. */
export function readFields(form: HTMLFormElement): FormValues {
  const data = new FormData(form);
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  // A browser gives an empty value for an unreadable number, which would look like an empty field.
  const typed = (name: string) => (isUnreadable(form, name) ? "NaN" : text(name));
  const texts = textFields.map((field) => [field, typed(field)]);
  return {
    ...(Object.fromEntries(texts) as Record<(typeof textFields)[number], string>),
    suite: text("suite"),
    dataset: text("dataset") || text(otherDataset).trim(),
    name: text("name").trim(),
    simulated: data.has("simulated"),
    source: text("source") === "answers" ? "answers" : "endpoint",
    baseUrl: text("baseUrl"),
    model: text("model"),
    endpointKey: text("endpointKey"),
    protocol: text("protocol"),
    isBatched: data.has("batch"),
    batches: text("batches"),
    answers: null,
    answersFile: fileOf(data)?.name ?? "",
    isStandardPrompt: data.has("standardPrompt"),
    options: text("options"),
    visibility: (text("visibility") || "unlisted") as FormValues["visibility"],
  };
}

/** The values of the form. Reads a chosen file in the browser. */
export async function readForm(form: HTMLFormElement): Promise<FormValues> {
  const values = readFields(form);
  const file = fileOf(new FormData(form));
  const isWanted = values.source === "answers" && file !== null;
  return { ...values, answers: isWanted ? await readAnswers(file) : null };
}

const isUnreadable = (form: HTMLFormElement, name: string): boolean =>
  form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.validity.badInput === true;

/** The chosen file; null if there is none, because browsers then return a file without a name. */
function fileOf(data: FormData): File | null {
  const file = data.get("answers");
  return file instanceof File && file.name !== "" ? file : null;
}

async function readAnswers(file: File): Promise<ParsedAnswers> {
  if (file.size > mostAnswerBytes) {
    const most = `${mostAnswerBytes / 2 ** 20} MiB`;
    const error = `the file has ${(file.size / 2 ** 20).toFixed(1)} MiB, but at most ${most} can be sent at once`;
    return { answers: [], lines: [], item: "line", errors: [error] };
  }
  return parseAnswers(await file.text());
}
