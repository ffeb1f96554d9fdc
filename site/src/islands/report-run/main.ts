import { callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";

const form = findPart<HTMLFormElement>(document, "[data-report-run]");
findPart<HTMLInputElement>(form, "[name=run]").value =
  new URLSearchParams(location.search).get("id") ?? "";

let isBusy = false;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  const body = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
  );
  say("Sending…");
  try {
    await callApi("/v1/reports", { method: "POST", body });
    form.hidden = true;
    say("The operator has your report. Thank you!");
  } catch (error) {
    say(`Nothing was sent: ${(error as Error).message}.`);
  } finally {
    isBusy = false;
  }
});
