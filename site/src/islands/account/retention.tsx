import type { Retention, RetentionState } from "#shared/contracts/keys/account-data.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { formatDate } from "../../format/date.ts";
import { formatCount } from "../../format/number.ts";
import type { Call } from "../api.ts";
import { findPart } from "../find-part.ts";
import { ListTable } from "./AccountViews.tsx";
import { attempt } from "./own-page.tsx";

type Rule = Retention["rules"][number];
type Effect = RetentionState["effects"][number];
type CallAs = <T>(path: string, call?: Call) => Promise<T>;

const nameOf = (dataset: string | null) => dataset ?? "All other datasets";
const after = (days: number | null) =>
  days === null ? "never" : days === 1 ? "after 1 day" : `after ${days} days`;

/** What a rule deletes next, in a few words. */
function nextOf({ nextRunAt, nextAnswersAt }: Effect): string {
  const parts = [
    nextAnswersAt !== null && `answers on ${formatDate(nextAnswersAt)}`,
    nextRunAt !== null && `a run on ${formatDate(nextRunAt)}`,
  ];
  return parts.filter(Boolean).join(", ") || "nothing yet";
}

const RulesView = ({ rules, effects }: RetentionState) =>
  rules.length === 0 ? (
    <p class="soft">No rule yet: results are kept until you delete them.</p>
  ) : (
    <ListTable
      label="Rules for how long results are kept"
      heads={["Runs on", "Raw answers deleted", "Whole runs deleted", "Ended runs", "Deletes next"]}
      rows={rules.map(({ dataset, answerDays, runDays }) => {
        const effect = effects.find((one) => one.dataset === dataset);
        return [
          nameOf(dataset),
          after(answerDays),
          after(runDays),
          formatCount(effect?.runs ?? 0),
          effect ? nextOf(effect) : "",
          <button
            type="button"
            data-drop-rule={dataset ?? ""}
            aria-label={`Remove the rule: ${nameOf(dataset)}`}
          >
            Remove
          </button>,
        ];
      })}
    />
  );

/** The question before a change, which says what it deletes at once. */
function questionOf({ effects }: RetentionState): string {
  const sum = (of: (effect: Effect) => number) =>
    effects.reduce((total, effect) => total + of(effect), 0);
  const [runs, answers] = [sum(({ dueRuns }) => dueRuns), sum(({ dueAnswers }) => dueAnswers)];
  const next = effects.map((its) => `${nameOf(its.dataset)}: ${nextOf(its)}`).join("\n");
  const now =
    runs + answers === 0
      ? "Nothing is old enough to be deleted now."
      : `This deletes ${counted(runs, "whole run")}, and the raw answers of ${counted(answers, "other run")}, within minutes. It can't be undone.`;
  return [now, next && `Next deletions:\n${next}`].filter(Boolean).join("\n\n");
}

/** The rules with the form's rule, which replaces the one for the same dataset. */
function withRule(rules: readonly Rule[], form: HTMLFormElement): Rule[] {
  const given = new FormData(form);
  const text = (name: string) => String(given.get(name) ?? "").trim();
  const days = (name: string) => (text(name) === "" ? null : Number(text(name)));
  const dataset = text("dataset") || null;
  const rule = { dataset, answerDays: days("answerDays"), runDays: days("runDays") };
  return [...rules.filter((one) => one.dataset !== dataset), rule];
}

/** Shows the retention rules, and lets the reader change them after showing what a change deletes. */
export async function showRetention(call: CallAs): Promise<void> {
  const path = "/v1/account/retention";
  const place = findPart(document, "[data-retention]");
  const form = findPart<HTMLFormElement>(document, "[data-new-rule]");
  const show = (state: RetentionState) => {
    place.innerHTML = String(<RulesView {...state} />);
  };
  const { rules, effects } = await call<RetentionState>(path);
  show({ rules, effects });
  const change = async (wanted: Rule[]) => {
    const put = { method: "PUT", body: { rules: wanted } } as const;
    const planned = await call<RetentionState>(`${path}?dryRun=true`, put);
    if (!confirm(questionOf(planned))) return;
    await call<RetentionState>(path, put);
    form.reset();
    await showRetention(call);
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    void attempt(() => change(withRule(rules, form)));
  };
  place.onclick = ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const dataset = target.dataset["dropRule"] || null;
    void attempt(() => change(rules.filter((rule) => rule.dataset !== dataset)));
  };
}
