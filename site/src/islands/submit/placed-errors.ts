import { ApiError } from "../api-error.ts";
import { type FieldName, type FormError, priceFields, settingFields } from "./form-values.ts";
import { linesText, type ParsedAnswers } from "./parse-answers.ts";

/** Fields of the form by pointers into a request; the first matching prefix applies. */
const places: readonly [pointer: string, field: FieldName][] = [
  ["/suite", "suite"],
  ["/dataset", "dataset"],
  ["/visibility", "visibility"],
  ["/options/sample", "samples"],
  ["/options/repeats", "repeats"],
  ["/options/concurrency", "concurrency"],
  ["/options/maxCostUsd", "maxCostUsd"],
  ["/options", "options"],
  ["/models/0/name", "name"],
  ["/models/0/slug", "slug"],
  ["/models/0/url", "url"],
  ["/models/0/license", "license"],
  ["/models/0/parameters", "parameters"],
  ["/models/0/quantization", "quantization"],
  ["/models/0/endpoint/model", "model"],
  ["/models/0/endpoint/apiKey", "endpointKey"],
  ["/models/0/endpoint/protocol", "protocol"],
  ["/models/0/endpoint/batches", "batches"],
  ...settingFields.map((field): [string, FieldName] => [
    `/models/0/endpoint/settings/${field}`,
    field,
  ]),
  ["/models/0/endpoint/settings", "extraBody"],
  ["/models/0/endpoint", "baseUrl"],
  ["/models/0/answers", "answers"],
  ["/models/0/promptHash", "answers"],
  ...priceFields.map((field): [string, FieldName] => [`/models/0/prices/${field}`, field]),
  ["/models/0/prices", "inputPerMillion"],
];

/** Statuses for problems with Assay's own API key. */
const keyStatuses: readonly (number | null)[] = [401, 403];

/** The rest of a pointer after the field, in readable form. */
const insideOf = (pointer: string, place: string): string =>
  pointer
    .slice(place.length + 1)
    .replaceAll("/", ".")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");

type Placed = Pick<ParsedAnswers, "lines" | "item">;

/** An API error at its field, with its line in a file of answers. */
interface PlacedError extends FormError {
  line?: number;
}

function answerError(inside: string, detail: string, { lines }: Placed): PlacedError {
  const [at = "", ...rest] = inside.split(".");
  const line = lines[Number(at)];
  if (line === undefined || at === "") return { field: "answers", detail };
  return {
    field: "answers",
    line,
    detail: `${rest.length > 0 ? `, ${rest.join(".")}` : ""}: ${detail}`,
  };
}

/** Merges errors with the same text, and lists their lines. */
function joined(errors: readonly PlacedError[], { item }: Placed): FormError[] {
  return [...Map.groupBy(errors, ({ field, detail }) => `${field} ${detail}`).values()].map(
    (its) => {
      const { field, detail } = its[0]!;
      const lines = its.flatMap(({ line }) => line ?? []);
      return { field, detail: lines.length === 0 ? detail : `${linesText(lines, item)}${detail}` };
    },
  );
}

/** The API's errors by field of the form; `sent` has the line numbers of the sent answers. */
export function placedErrors(
  error: unknown,
  sent: Placed = { lines: [], item: "line" },
): FormError[] {
  if (!(error instanceof ApiError)) return [{ field: null, detail: (error as Error).message }];
  if (keyStatuses.includes(error.status)) return [{ field: "key", detail: error.message }];
  if (error.errors.length === 0) return [{ field: null, detail: error.message }];
  const placed = error.errors.map(({ pointer: given = "", detail }): PlacedError => {
    // The request for a test has a single endpoint.
    const pointer = given.replace(/^\/endpoint/, "/models/0/endpoint");
    const place = places.find(([start]) => pointer === start || pointer.startsWith(`${start}/`));
    if (!place) return { field: null, detail };
    const [start, field] = place;
    const inside = insideOf(pointer, start);
    if (field === "answers") return answerError(inside, detail, sent);
    const isJson = field === "options" || field === "extraBody";
    return { field, detail: isJson && inside ? `${inside}: ${detail}` : detail };
  });
  return joined(placed, sent);
}

/** Errors by field, in the order given, each text once. */
export function errorsByField(errors: readonly FormError[]): Map<FieldName | null, string> {
  const groups = Map.groupBy(errors, ({ field }) => field);
  return new Map(
    [...groups].map(([field, its]) => [
      field,
      [...new Set(its.map(({ detail }) => detail))].join("; "),
    ]),
  );
}

const placeOf = (form: HTMLFormElement, field: FieldName) =>
  form.querySelector<HTMLElement>(`[data-error="${field}"]`);

const controlsOf = (form: HTMLFormElement, field: string) =>
  form.querySelectorAll<HTMLElement>(`[name="${field}"]`);

/** Removes the previous errors of the fields. */
export function clearErrors(form: HTMLFormElement): void {
  for (const place of form.querySelectorAll("[data-error]")) place.textContent = "";
  for (const control of form.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
  }
}

/**
 * Shows errors next to their fields, and focuses the first field with one. Returns the errors that belong to no visible
 * field.
 */
export function showErrors(form: HTMLFormElement, errors: readonly FormError[]): string[] {
  clearErrors(form);
  const elsewhere: string[] = [];
  for (const [field, detail] of errorsByField(errors)) {
    const place = field === null ? null : placeOf(form, field);
    if (field === null || place === null || place.closest("[hidden]")) {
      elsewhere.push(detail);
      continue;
    }
    place.textContent = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
    for (const control of controlsOf(form, field)) control.setAttribute("aria-invalid", "true");
    const folded = place.closest("details");
    if (folded) folded.open = true;
  }
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  return elsewhere;
}
