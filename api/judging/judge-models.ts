import type { ListedModel } from "#shared/connection/listed-models.ts";
import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import { routeOf } from "#shared/judges/choose-judges.ts";
import { defaultModelTable } from "#shared/judges/default-models.ts";
import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { announce } from "../webhooks/announce.ts";
import { standardJudgingOf } from "./resolve-judging.ts";
import type { JudgeModelRecord } from "./schema.ts";

const DAY_MS = 86_400_000;

type Name = Pick<RunRoute, "provider" | "model">;

const nameOf = ({ provider, model }: Name) => `${provider}:${model}`;

const routesOf = ({ judges, stages }: RunJudging): RunRoute[] => [
  ...Object.values(judges).flatMap(({ routes }) => routes),
  ...Object.values(stages).flatMap((its) =>
    [its?.ask, its?.speak].filter((route) => route !== undefined),
  ),
];

/** The models that judge by default, and the fallback. */
function standardModels({ judging: client, suites }: Pick<Platform, "judging" | "suites">): Name[] {
  const { fallbackJudge, providers } = client.deployment;
  const fallback = fallbackJudge === null ? [] : [routeOf(fallbackJudge, providers)];
  const judgings = suites.all.map((suite) => standardJudgingOf(client, suite));
  return [...judgings.flatMap((judging) => (judging ? routesOf(judging) : [])), ...fallback];
}

/** Warnings of the last check about the judges of a board. */
export async function judgeWarnings(
  platform: Pick<Platform, "judges">,
  judging: RunJudging,
): Promise<string[]> {
  const names = new Set(routesOf(judging).map(nameOf));
  const models = (await platform.judges.models()).filter((row) => names.has(nameOf(row)));
  return models.flatMap(({ warning }) => warning ?? []);
}

/**
 * Once a day, and at once for a new judge: reads the model lists of the judges' providers, records which judges need a
 * successor, has their boards published again, and announces them.
 */
export async function lookAtJudges(platform: Platform): Promise<void> {
  const now = platform.now();
  const before = await platform.judges.models();
  const known = new Map(before.map((row) => [nameOf(row), row]));
  const standard = standardModels(platform);
  const since = Math.max(0, ...before.map(({ checkedAt }) => Date.parse(checkedAt)));
  if (now - since < DAY_MS && standard.every((route) => known.has(nameOf(route)))) return;
  const used = [...standard, ...(await platform.judges.boardModels())];
  const models = await lookUp(platform, new Map(used.map((route) => [nameOf(route), route])), now);
  const isNews = (row: JudgeModelRecord) =>
    row.warning !== (known.get(nameOf(row))?.warning ?? null);
  await platform.judges.saveModels(models, models.some(isNews));
  if (models.some(isNews)) await platform.publications.markChanged();
  for (const row of models) {
    if (row.warning === null) continue;
    const data = { ...row, links: { judges: "/v1/judges" } };
    for (const owner of await platform.judges.hookOwners()) {
      const subject = `${owner} ${nameOf(row)} ${row.warning}`;
      await announce(platform, { type: "judge.ending", owner, subject, data });
    }
  }
}

/** What the providers' lists and the table of default judges say about models. */
async function lookUp(
  { judging: client }: Pick<Platform, "judging">,
  used: ReadonlyMap<string, Name>,
  now: number,
): Promise<JudgeModelRecord[]> {
  const lists = new Map<string, ListedModel[]>();
  for (const provider of new Set([...used.values()].map((name) => name.provider))) {
    if (!client.deployment.providers.includes(provider)) continue;
    const list = await client.list(provider);
    if (typeof list !== "string") lists.set(provider, list);
    // The provider's own text is not logged, because it may quote the key.
    else logProblem("models-not-listed", { provider });
  }
  return [...used.values()].map(({ provider, model }) => {
    const list = lists.get(provider) ?? [];
    const entry = list.find(({ id }) => id === model);
    const isListed = list.some(({ id }) => [id, withoutDate(id)].includes(model));
    // An empty list is no evidence.
    const listed = list.length === 0 ? null : isListed;
    const table = Object.values(defaultModelTable).find(
      (one) => one.provider === provider && one.model === model,
    );
    const ends = entry?.ends ?? table?.ends ?? null;
    const row = { provider, model, ends, replacement: entry?.replacement ?? null, listed };
    return { ...row, warning: endWarning(row, now), checkedAt: new Date(now).toISOString() };
  });
}

/** Removes the date from a name: some providers list only dated names and accept both. */
const withoutDate = (id: string): string => id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");

/** Days before its end from which a judge needs a successor. */
const NOTICE_DAYS = 60;

/**
 * Why a judge needs a successor: it has ended, is no longer listed, or ends within 60 days; null if it needs none. The
 * text is the same every day, so that pages need not be built again.
 */
export function endWarning(
  judge: Omit<JudgeModelRecord, "warning" | "checkedAt">,
  now: number,
): string | null {
  const { provider, model, ends, replacement, listed } = judge;
  const successor = replacement === null ? "" : `; ${provider} names ${replacement} in its place`;
  const leftMs = ends === null ? Number.POSITIVE_INFINITY : Date.parse(ends) - now;
  if (leftMs <= 0) return `Judge ${model} ended on ${ends}${successor}.`;
  if (listed === false) return `Judge ${model} is not in ${provider}'s list of models${successor}.`;
  return leftMs > NOTICE_DAYS * DAY_MS ? null : `Judge ${model} ends on ${ends}${successor}.`;
}
