import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { clearErrors, showErrors } from "./show-errors.ts";

function aForm() {
  const { document } = new JSDOM(`<form>
    <select name="suite"></select><p data-error="suite"></p>
    <details><input name="slug"><p data-error="slug"></p></details>
    <fieldset hidden><input name="baseUrl"><p data-error="baseUrl"></p></fieldset>
  </form>`).window;
  const form = document.querySelector("form") as HTMLFormElement;
  const error = (field: string) => form.querySelector(`[data-error=${field}]`)?.textContent;
  return { form, error, focused: () => document.activeElement?.getAttribute("name") };
}

it("showErrors() puts each error beside its field and moves to the first in the form", () => {
  const { form, error, focused } = aForm();
  const left = showErrors(form, [
    { field: "slug", detail: "stands twice" },
    { field: "suite", detail: "must be given" },
  ]);
  expect([left, error("suite"), error("slug")]).toEqual([[], "Must be given.", "Stands twice."]);
  expect(focused()).toBe("suite");
  expect(form.querySelector("details")?.open).toBe(true);
  expect(form.querySelectorAll("[aria-invalid=true]")).toHaveLength(2);
});

it("showErrors() gives back what no field that can be seen is about", () => {
  const { form } = aForm();
  const left = showErrors(form, [
    { field: null, detail: "over quota" },
    { field: "baseUrl", detail: "not https" },
    { field: "options", detail: "unknown" },
  ]);
  expect(left).toEqual(["over quota", "not https", "unknown"]);
});

it("clearErrors() takes away what showErrors() said", () => {
  const { form, error } = aForm();
  showErrors(form, [{ field: "suite", detail: "must be given" }]);
  clearErrors(form);
  expect(error("suite")).toBe("");
  expect(form.querySelector("[aria-invalid]")).toBeNull();
});
