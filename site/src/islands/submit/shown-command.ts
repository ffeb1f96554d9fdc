import { answersCommand, endpointExample, submitCommand } from "../../format/submit-command.ts";
import type { FormValues } from "./form-values.ts";
import { submissionRequest } from "./submission-request.ts";

interface Shown {
  /** Null: the form can't be sent as it is, and the former command stays. */
  command: string | null;
  /** What must be known of it. */
  note: string;
}

/** An address without the name and password it may contain, also while it is typed. */
const withoutCredentials = (address: string): string => address.replace(/\/\/[^/]*@/, "//");

/**
 * What a form holds as it may be shown: examples for what is not filled in, and no secret. A key of the endpoint
 * is a placeholder, and absent where an endpoint was given without one. Answers stay in their file.
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
    answers: { answers: [], lines: [], errors: [] },
  };
}

/** The command that does what sending the form would, but for secrets and the answers of a file. */
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
