import type { FieldName, FormError } from "./form-values.ts";
import { errorsByField } from "./placed-errors.ts";

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
 * Shows errors next to their fields, and moves to the first of them. Returns those that are not about a visible
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
