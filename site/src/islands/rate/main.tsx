import type { RatingTasks } from "#shared/contracts/judging/rating.ts";
import { callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { offerSession } from "../session.tsx";
import {
  afterScore,
  nextAnswer,
  type RatingCalls,
  type Shown,
  shownMetric,
} from "./rating-session.ts";

const form = findPart<HTMLFormElement>(document, "[data-rater]");
const place = findPart(document, "[data-rate]");
let shown: Shown | null = null;
let isBusy = false;
void offerSession();

const given = (name: string) => String(new FormData(form).get(name) ?? "").trim();
const runsIn = () => given("run").split(/[\s,]+/);

const pathOf = (run: string) => `/v1/runs/${encodeURIComponent(run)}`;

const calls: RatingCalls = {
  async tasks(run) {
    const metrics = given("metrics").split(/[\s,]+/);
    const query = new URLSearchParams({ rater: given("rater"), metrics: `${metrics}`, limit: "1" });
    const call = { key: given("key") };
    return (await callApi<RatingTasks>(`${pathOf(run)}/rating-tasks?${query}`, call)).value;
  },
  save(run, ratings) {
    const call = { method: "POST", body: { ratings }, key: given("key") } as const;
    return callApi(`${pathOf(run)}/ratings`, call);
  },
};

/** Shows the result of a step; after a failure the answer stays, so that the rater can try again. */
async function step(next: () => Promise<Shown | null>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    shown = await next();
    form.hidden = true;
    say(shown === null ? "Every answer is rated. Thank you!" : null);
    place.innerHTML = shown === null ? "" : String(<RateView shown={shown} />);
    if (shown?.at === 0) scrollTo(0, 0);
    const radio =
      place.querySelector<HTMLInputElement>("[checked]") ?? place.querySelector("input");
    radio?.focus({ preventScroll: true });
  } catch (error) {
    say(`That failed: ${(error as Error).message}. Try again.`);
  } finally {
    isBusy = false;
  }
}

const rate = (from: Shown, score: number) =>
  step(async () => {
    const next = await afterScore(from, score, given("rater"), calls);
    return next ?? nextAnswer(runsIn(), calls);
  });

addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
  if (shown === null || ctrlKey || metaKey || altKey) return;
  const from = shown;
  const level = shownMetric(from).levels[Number(key) - 1];
  const chosen = place.querySelector<HTMLInputElement>("input:checked");
  if (level !== undefined) void rate(from, level[0]);
  else if (key === "Enter" && chosen !== null) void rate(from, Number(chosen.value));
  else if (key === "Backspace") void step(async () => ({ ...from, at: Math.max(0, from.at - 1) }));
});

/** A mouse click saves the choice; a choice with the arrow keys waits for Enter. */
place.addEventListener("click", ({ target, detail }) => {
  if (shown === null || detail === 0 || !(target instanceof HTMLInputElement)) return;
  void rate(shown, Number(target.value));
});

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
  if (field !== null && name !== "key") field.value = value;
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const address = ["run", "rater", "metrics"].map((name) => [name, given(name)]);
  const search = new URLSearchParams(address.filter(([, value]) => value !== ""));
  history.replaceState(null, "", `?${search}`);
  void step(() => nextAnswer(runsIn(), calls));
});

/** One metric of an answer, with the key for each level. */
const RateView = ({ shown }: { shown: Shown }) => {
  const { task, at, scores, progress } = shown;
  const { id, label, task: asked, levels, notAbout } = shownMetric(shown);
  return (
    <>
      <p class="soft" role="status">
        {`Answer ${progress.rated + 1} of ${progress.total}, metric ${at + 1} of ${task.metrics.length}`}
      </p>
      <div class="rate">
        <div>
          {task.sections.map(({ name, text }) => (
            <section aria-label={name}>
              <h2>{name}</h2>
              <pre class="wrap">{text}</pre>
            </section>
          ))}
        </div>
        <fieldset>
          <legend>{label}</legend>
          <p>{asked}</p>
          {levels.map(([score, text], i) => (
            <label class="radio">
              <input type="radio" name="score" value={score} checked={score === scores[id]} />
              <kbd>{i + 1}</kbd> <span>{text}</span>
            </label>
          ))}
          {notAbout.length > 0 && <p class="soft">Not about: {notAbout.join("; ")}.</p>}
        </fieldset>
      </div>
    </>
  );
};
