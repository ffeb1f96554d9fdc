import { answersCommand, endpointExample, submitCommand } from "../../format/submit-command.ts";
import type { FormValues } from "./form-values.ts";
import { submissionRequest } from "./submission-request.ts";

interface Shown {
  /** Null if the form is invalid: the previous command stays. */
  command: string | null;
  note: string;
}

/** An address without user name and password, even while it is being typed. */
const withoutCredentials = (address: string): string => address.replace(/\/\/[^/]*@/, "//");

/**
 * The form's values for display: examples for empty fields, and no secrets. The endpoint's key is a placeholder, or
 * absent if an endpoint was given without one. Answers stay in their file.
 */
function shownValues(values: FormValues): FormValues {
  const [baseUrl, model, key] = [values.baseUrl, values.model, values.endpointKey].map((text) =>
    text.trim(),
  );
  return {
    ...values,
    name: values.name || "Your model",
    baseUrl: withoutCredentials(baseUrl || endpointExample.baseUrl),
    model: model || endpointExample.model,
    endpointKey: baseUrl && !key ? "" : endpointExample.apiKey,
    answers: { answers: [], lines: [], item: "line", errors: [] },
  };
}

/** The command that is equivalent to sending the form, except for secrets and answers in a file. */
export function shownCommand(
  values: FormValues,
  promptHash: string | null,
  apiOrigin: string,
): Shown {
  const made = submissionRequest(shownValues(values), promptHash);
  if (!made.ok) {
    const problem = made.errors.map(({ detail }) => detail).join("; ");
    const note = `The form is not valid yet, so this is the previous command: ${problem}.`;
    return { command: null, note };
  }
  const { request } = made;
  if (values.source === "endpoint") return { command: submitCommand(apiOrigin, request), note: "" };
  return {
    command: answersCommand(apiOrigin, request, values.answersFile || "answers.jsonl"),
    note: "Requires jq; run it in the file's folder.",
  };
}
