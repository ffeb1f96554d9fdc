import type { RatingTasks } from "#shared/contracts/judging/rating.ts";
import { callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { RateView } from "./RateView.tsx";
import { RatingSession, type Shown } from "./rating-session.ts";

const form = findPart<HTMLFormElement>(document, "[data-rater]");
const place = findPart(document, "[data-rate]");
let session: RatingSession | null = null;
let shown: Shown | null = null;
let isBusy = false;

/** Shows a step's result; its failure leaves the answer as it is, to try again. */
async function step(next: () => Promise<Shown | null> | Shown | null): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    const before = shown?.task.answerHash;
    shown = await next();
    form.hidden = true;
    say(shown === null ? "Every answer is rated. Thank you!" : null);
    place.innerHTML = shown === null ? "" : String(<RateView {...shown} />);
    if (shown?.task.answerHash !== before) scrollTo(0, 0);
    place.querySelector<HTMLInputElement>("input[checked], input")?.focus({ preventScroll: true });
  } catch (error) {
    const what = shown === null ? "No answer could be loaded" : "Not saved";
    say(`${what}: ${(error as Error).message}.${shown === null ? "" : " Press the key again."}`);
  } finally {
    isBusy = false;
  }
}

const rate = (score: number) => step(() => session!.rate(score));

addEventListener("keydown", (event) => {
  if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const level = shown.metric.levels[Number(event.key) - 1];
  if (level !== undefined) void rate(level.score);
  else if (event.key === "Backspace") void step(() => session!.back());
  else if (event.key === "Enter") {
    const chosen = place.querySelector<HTMLInputElement>("input:checked");
    if (chosen !== null) void rate(Number(chosen.value));
  }
});

/** A click has a pointer's place; choosing with the arrow keys has none, and waits for Enter. */
place.addEventListener("click", (event) => {
  if (event.target instanceof HTMLInputElement && event.detail > 0)
    void rate(Number(event.target.value));
});

function start(): void {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  const [runs, rater, metrics] = [text("run").split(/[\s,]+/), text("rater"), text("metrics")];
  const key = text("key");
  const address = new URLSearchParams({ run: runs.join(" "), rater, ...(metrics && { metrics }) });
  history.replaceState(null, "", `?${address}`);
  const path = (run: string) => `/v1/runs/${encodeURIComponent(run)}`;
  const query = new URLSearchParams({ rater, metrics: metrics.split(/[\s,]+/).join(",") });
  session = new RatingSession(runs, rater, {
    tasks: async (run) =>
      (await callApi<RatingTasks>(`${path(run)}/rating-tasks?${query}`, { key })).value,
    save: (run, ratings) =>
      callApi(`${path(run)}/ratings`, { method: "POST", body: { ratings }, key }),
  });
  void step(() => session!.start());
}

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
  if (field !== null && name !== "key") field.value = value;
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
