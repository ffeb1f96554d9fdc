import { apiOrigin, getJson } from "../api.ts";
import { emptySelects } from "../fill-select.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { offerSession } from "../session.tsx";
import { offerConnection } from "./connection.ts";
import { Follower } from "./follower.ts";
import { readFields } from "./read-form.ts";
import { shownCommand } from "./shown-command.ts";
import { openForm } from "./submission-form.ts";
import { SubmitPage } from "./submit-page.ts";
import { submitter } from "./submitter.ts";

const page = new SubmitPage();
const follower = new Follower(page);
const send = submitter(page, follower);
const search = new URLSearchParams(location.search);
const whose = offerSession();

page.form.addEventListener("submit", (event) => {
  event.preventDefault();
  // Enter in a field requests an estimate; only the buttons submit.
  const action = event.submitter?.dataset["send"];
  void send(action === "submit" || action === "try" ? action : "estimate");
});
offerConnection(page);
const showCommand = () => {
  const values = readFields(page.form);
  const promptHash = page.suite(values.suite)?.promptHash ?? null;
  page.showCommand(shownCommand(values, promptHash, apiOrigin()));
};

page.form.addEventListener("input", () => {
  showCommand();
  const stale = page.outcome.querySelector("[data-stale]");
  if (stale) stale.textContent = "The form has changed since this estimate was made.";
});

try {
  page.suites = (await getJson<{ suites: ListedSuite[] }>("/v1/suites")).suites;
  openForm(page.form, page.suites, {
    wanted: { suite: search.get("suite"), dataset: search.get("dataset") },
    onTrouble: (text) => page.say(text, true),
    onShown: showCommand,
  });
  page.allowSending(page.suites.length > 0);
} catch (error) {
  page.say(`The suites could not be loaded: ${(error as Error).message}.`, true);
  emptySelects(page.form);
}

const submission = search.get("submission");
if (submission) {
  await whose;
  void follower.follow(submission);
  page.toOutcome();
}
