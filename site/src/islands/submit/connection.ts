import type { Connection } from "#shared/contracts/submissions/connection.ts";
import { callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { ConnectionResult, verdictOf } from "./ConnectionResult.tsx";
import { type FormError, type FormValues, settingFields } from "./form-values.ts";
import { clearErrors, placedErrors, showErrors } from "./placed-errors.ts";
import { readFields } from "./read-form.ts";
import { endpoint } from "./submission-request.ts";
import type { SubmitPage } from "./submit-page.ts";

/** Fields on which the result of a test depends. */
const tested = ["baseUrl", "model", "endpointKey", "protocol", ...settingFields];

/** Has the service test the form's endpoint, or list its models; it calls the endpoint as a run would. */
export function offerConnection(page: SubmitPage): void {
  const [result, status] = ["[data-connection]", "[data-connection-status]"].map((part) =>
    findPart(page.form, part),
  ) as [HTMLElement, HTMLElement];
  const show = (text: string, html = "") => {
    status.textContent = text;
    result.innerHTML = html;
  };
  const connect = async (isTest: boolean) => {
    clearErrors(page.form);
    const values = readFields(page.form);
    const errors = [...lacking(values, isTest), ...(isTest ? endpoint(values).errors : [])];
    if (errors.length > 0) return void showErrors(page.form, errors);
    show(isTest ? "Testing, up to a minute and a half…" : "Listing…");
    page.allowSending(false);
    try {
      const body = { endpoint: requested(values, isTest) };
      const call = { method: "POST", body, key: page.key } as const;
      const { value } = await callApi<Connection>("/v1/connections", call);
      show(verdictOf(value, isTest), String(ConnectionResult({ connection: value, isTest })));
      offerModels(page.form, value.models);
    } catch (error) {
      const elsewhere = showErrors(page.form, placedErrors(error));
      show(elsewhere.length > 0 ? `Not tested: ${elsewhere.join("; ")}.` : "Not tested.");
    } finally {
      page.allowSending(true);
    }
  };
  page.form.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-connect]") : null;
    if (button) void connect(button.dataset["connect"] === "test");
  });
  page.form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLElement && tested.includes(target.getAttribute("name") ?? "")) {
      show("");
    }
  });
}

/** Errors for fields that a test needs. */
function lacking({ baseUrl, model }: FormValues, isTest: boolean): FormError[] {
  if (baseUrl.trim() === "")
    return [{ field: "baseUrl", detail: "give the address of the endpoint" }];
  if (!isTest || model.trim() !== "") return [];
  return [{ field: "model", detail: "name the model to test, or list the models first" }];
}

/** The body of a test. Without a model, the service lists the endpoint's models. */
function requested(values: FormValues, isTest: boolean): object {
  const { batches: _, model, ...its } = endpoint(values).value.endpoint;
  return { ...its, ...(isTest && { model }) };
}

function offerModels(form: HTMLFormElement, models: readonly string[]): void {
  const list = findPart(form, "#l-model");
  list.replaceChildren(
    ...models.map((name) => {
      const option = form.ownerDocument.createElement("option");
      option.value = name;
      return option;
    }),
  );
}
