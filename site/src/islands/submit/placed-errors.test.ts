import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { ApiError } from "../api-error.ts";
import { clearErrors, errorsByField, placedErrors, showErrors } from "./placed-errors.ts";

const refusal = (pointer: string, detail = "no") =>
  new ApiError("nothing was stored", { status: 422, errors: [{ pointer, detail }] });

it.each([
  ["/suite", "suite"],
  ["/models/0/name", "name"],
  ["/models/0/endpoint", "baseUrl"],
  ["/models/0/endpoint/baseUrl", "baseUrl"],
  ["/models/0/endpoint/model", "model"],
  ["/models/0/endpoint/apiKey", "endpointKey"],
  ["/models/0/endpoint/settings/topP", "topP"],
  ["/models/0/endpoint/settings", "extraBody"],
  ["/endpoint/baseUrl", "baseUrl"],
  ["/models/0/prices", "inputPerMillion"],
  ["/options/sample/n", "samples"],
  ["/options/maxCostUsd", "maxCostUsd"],
  ["/models/0/prices/outputPerMillion", "outputPerMillion"],
  ["/models/0/namesake", null],
  ["/models/0", null],
  ["", null],
])("placedErrors() puts %j next to the field %s", (pointer, field) => {
  expect(placedErrors(refusal(pointer))).toEqual([{ field, detail: "no" }]);
});

it.each([
  ["/options/temperature", "temperature: no"],
  ["/options/sweep/a~1b", "sweep.a/b: no"],
  ["/options", "no"],
])("placedErrors() names the option at %s", (pointer, detail) => {
  expect(placedErrors(refusal(pointer))).toEqual([{ field: "options", detail }]);
});

it.each([
  ["/models/0/answers/1/id", "line 4, id: no"],
  ["/models/0/answers/0", "line 2: no"],
  ["/models/0/answers", "no"],
  ["/models/0/answers/7/id", "no"],
])("placedErrors() names the line of %s", (pointer, detail) => {
  const sent = { lines: [2, 4], item: "line" } as const;
  expect(placedErrors(refusal(pointer), sent)).toEqual([{ field: "answers", detail }]);
});

it("placedErrors() merges the same error in many lines", () => {
  const errors = Array.from({ length: 8 }, (_, i) => ({
    pointer: `/models/0/answers/${i}/id`,
    detail: "must be a string",
  }));
  const error = new ApiError("no", { status: 422, errors });
  const lines = [1, 2, 3, 4, 5, 6, 7, 9];
  const details = (item: "line" | "answer") =>
    placedErrors(error, { lines, item }).map(({ detail }) => detail);
  expect(details("line")).toEqual(["lines 1, 2, 3, 4, 5 and 3 more, id: must be a string"]);
  expect(details("answer")).toEqual(["answers 1, 2, 3, 4, 5 and 3 more, id: must be a string"]);
});

it.each([401, 403])("placedErrors() puts status %i next to the key", (status) => {
  const error = new ApiError("an API key is needed", { status });
  expect(placedErrors(error)).toEqual([{ field: "key", detail: "an API key is needed" }]);
});

it("placedErrors() keeps errors that belong to no field", () => {
  const error = new ApiError("the day's samples are used up", { status: 429 });
  expect(placedErrors(error)).toEqual([{ field: null, detail: "the day's samples are used up" }]);
  expect(placedErrors(new Error("x"))).toEqual([{ field: null, detail: "x" }]);
});

it("errorsByField() lists each error once", () => {
  const errors = [
    { field: "options", detail: "a" },
    { field: null, detail: "b" },
    { field: "options", detail: "c" },
    { field: "options", detail: "a" },
  ] as const;
  expect([...errorsByField(errors)]).toEqual([
    ["options", "a; c"],
    [null, "b"],
  ]);
});

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

it("showErrors() puts each error next to its field and focuses the first", () => {
  const { form, error, focused } = aForm();
  const left = showErrors(form, [
    { field: "slug", detail: "is a duplicate" },
    { field: "suite", detail: "must be given" },
  ]);
  expect([left, error("suite"), error("slug")]).toEqual([[], "Must be given.", "Is a duplicate."]);
  expect(focused()).toBe("suite");
  expect(form.querySelector("details")?.open).toBe(true);
  expect(form.querySelectorAll("[aria-invalid=true]")).toHaveLength(2);
});

it("showErrors() returns errors that belong to no visible field", () => {
  const { form } = aForm();
  const left = showErrors(form, [
    { field: null, detail: "over quota" },
    { field: "baseUrl", detail: "not https" },
    { field: "options", detail: "unknown" },
  ]);
  expect(left).toEqual(["over quota", "not https", "unknown"]);
});

it("clearErrors() removes what showErrors() added", () => {
  const { form, error } = aForm();
  showErrors(form, [{ field: "suite", detail: "must be given" }]);
  clearErrors(form);
  expect(error("suite")).toBe("");
  expect(form.querySelector("[aria-invalid]")).toBeNull();
});
