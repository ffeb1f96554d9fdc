import { cardFields, type FormValues } from "./form-values.ts";
import { mostAnswerBytes, type ParsedAnswers, parseAnswers } from "./parse-answers.ts";

/** The name under which a dataset that is not in the list is typed. */
export const otherDataset = "otherDataset";

/** What the form holds. Reads a chosen file in the browser. */
export async function readForm(form: HTMLFormElement): Promise<FormValues> {
  const data = new FormData(form);
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  const card = Object.fromEntries(cardFields.map((field) => [field, text(field)]));
  const source = text("source") === "answers" ? "answers" : "endpoint";
  const file = data.get("answers");
  return {
    ...(card as Pick<FormValues, (typeof cardFields)[number]>),
    ...{ suite: text("suite"), dataset: text("dataset") || text(otherDataset).trim() },
    ...{ name: text("name").trim(), simulated: data.has("simulated"), source },
    ...{ baseUrl: text("baseUrl"), model: text("model"), endpointKey: text("endpointKey") },
    answers: source === "answers" && file instanceof File ? await readAnswers(file) : null,
    isStandardPrompt: data.has("standardPrompt"),
    ...{ inputPer1k: text("inputPer1k"), outputPer1k: text("outputPer1k") },
    options: text("options"),
    visibility: text("visibility") === "unlisted" ? "unlisted" : "public",
  };
}

/** Null where no file was chosen: browsers then give one without a name. */
async function readAnswers(file: File): Promise<ParsedAnswers | null> {
  if (file.name === "") return null;
  if (file.size > mostAnswerBytes) {
    const most = `${mostAnswerBytes / 2 ** 20} MiB`;
    const error = `the file has ${(file.size / 2 ** 20).toFixed(1)} MiB, and ${most} can be sent at once`;
    return { answers: [], lines: [], errors: [error] };
  }
  return parseAnswers(await file.text());
}
