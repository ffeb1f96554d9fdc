import type { JudgeModel } from "#shared/contracts/judging/judge-model.ts";
import type { RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import { routeOf } from "#shared/judges/choose-judges.ts";
import { defaultModelTable } from "#shared/judges/default-models.ts";
import { endWarning } from "#shared/judges/end-warning.ts";
import type { Platform } from "../platform/platform.ts";
import { announce } from "../webhooks/announce.ts";
import { standardJudgingOf } from "./resolve-judging.ts";
import type { JudgeModelRecord } from "./schema.ts";

const DAY_MS = 86_400_000;

type Reads = Pick<Platform, "judging" | "judges" | "suites">;
type Name = Pick<RunRoute, "provider" | "model">;

const nameOf = ({ provider, model }: Name) => `${provider}:${model}`;

/** The models of a run's judges and stages, each with the ids of what it judges. */
function routesOf({ judges, stages }: RunJudging): (readonly [id: string, route: RunRoute])[] {
  return [
    ...Object.entries(judges).flatMap(([id, { routes }]) =>
      routes.map((route) => [id, route] as const),
    ),
    ...Object.entries(stages).flatMap(([id, its]) =>
      [its?.ask, its?.speak].flatMap((route) => (route ? [[id, route] as const] : [])),
    ),
  ];
}

/** The models that judge by default, with what they judge, and the fallback. */
function standardModels({ judging: client, suites }: Omit<Reads, "judges">) {
  const models = new Map<string, { route: RunRoute; judges: string[] }>();
  const add = (route: RunRoute, judges: readonly string[]) => {
    const known = models.get(nameOf(route)) ?? { route, judges: [] };
    models.set(nameOf(route), known);
    known.judges.push(...judges);
  };
  for (const suite of suites.all) {
    const judging = standardJudgingOf(client, suite);
    for (const [id, route] of judging ? routesOf(judging) : []) add(route, [`${suite.id}/${id}`]);
  }
  const { fallbackJudge, providers } = client.deployment;
  const fallback = fallbackJudge === null ? null : routeOf(fallbackJudge, providers);
  if (fallback !== null && providers.includes(fallback.provider)) {
    add({ ...fallback, simulated: client.simulated.includes(fallback.provider) }, []);
  }
  return models;
}

/** The models that judge in this deployment or on its boards, and how long they are offered. */
export async function judgeModelViews(platform: Reads): Promise<JudgeModel[]> {
  const { judging: client } = platform;
  const standard = standardModels(platform);
  const known = new Map((await platform.judges.models()).map((row) => [nameOf(row), row]));
  const names = [...new Set([...standard.keys(), ...known.keys()])];
  return names.flatMap((name) => {
    const row = known.get(name);
    const { route, judges } = standard.get(name) ?? { route: row, judges: [] };
    if (route === undefined) return [];
    const { provider, model } = route;
    return [
      {
        provider,
        model,
        simulated: client.simulated.includes(provider),
        judges,
        price: client.prices[model] ?? null,
        ends: row?.ends ?? null,
        replacement: row?.replacement ?? null,
        listed: row?.listed ?? null,
        checkedAt: row ? new Date(row.checkedAt).toISOString() : null,
        warning: row?.warning ?? null,
      },
    ];
  });
}

/** Warnings about the judges of a board, as of the last look. */
export async function judgeWarnings(
  platform: Pick<Platform, "judges">,
  judging: RunJudging | null,
): Promise<string[]> {
  if (judging === null) return [];
  const names = new Set(routesOf(judging).map(([, route]) => nameOf(route)));
  const models = (await platform.judges.models()).filter((row) => names.has(nameOf(row)));
  return models.flatMap(({ warning }) => warning ?? []);
}

/**
 * Once a day, and at once for a new judge: reads the lists of models of the judges' providers, notes which judges need a
 * successor, has their boards published again, and announces them.
 */
export async function lookAtJudges(platform: Platform): Promise<void> {
  const now = platform.now();
  const known = new Map((await platform.judges.models()).map((row) => [nameOf(row), row]));
  const standard = standardModels(platform);
  const since = Math.max(0, ...[...known.values()].map(({ checkedAt }) => checkedAt));
  const isNew = [...standard.keys()].some((name) => !known.has(name));
  if (now - since < DAY_MS && !isNew) return;
  const boards = await platform.judges.judgedBoards();
  const used = new Map<string, Name>([...standard].map(([name, { route }]) => [name, route]));
  for (const { judging } of boards) {
    for (const [, route] of judging ? routesOf(judging) : []) used.set(nameOf(route), route);
  }
  const models = await lookUp(platform, [...used.values()], now);
  const changed = models.filter((row) => row.warning !== (known.get(nameOf(row))?.warning ?? null));
  const on = (rows: readonly JudgeModelRecord[]) => {
    const names = new Set(rows.map(nameOf));
    const has = ({ judging }: (typeof boards)[number]) =>
      judging !== null && routesOf(judging).some(([, route]) => names.has(nameOf(route)));
    return boards.filter(has).map(({ id }) => id);
  };
  await platform.judges.saveModels(models, on(changed));
  if (changed.length > 0) await platform.publications.markChanged();
  for (const { provider, model, ends, replacement, warning, ...row } of models) {
    if (warning === null) continue;
    const its = on([{ provider, model, ends, replacement, warning, ...row }]);
    const data = { provider, model, ends, replacement, warning, boards: its };
    for (const owner of await platform.judges.hookOwners()) {
      const subject = `${owner} ${nameOf({ provider, model })} ${warning}`;
      const links = { judges: "/v1/judges" };
      await announce(platform, { type: "judge.ending", owner, subject, data: { ...data, links } });
    }
  }
}

/** What the providers' lists, and the table of default judges, say about models. */
async function lookUp(
  { judging: client }: Pick<Platform, "judging">,
  used: readonly Name[],
  now: number,
): Promise<JudgeModelRecord[]> {
  const providers = [...new Set(used.map(({ provider }) => provider))].filter((provider) =>
    client.deployment.providers.includes(provider),
  );
  const lists = new Map<string, Awaited<ReturnType<typeof client.list>>>();
  for (const provider of providers) {
    const list = await client.list(provider);
    lists.set(provider, list);
    if (typeof list !== "string") continue;
    console.error(JSON.stringify({ event: "models-not-listed", provider, error: list }));
  }
  return used.map(({ provider, model }) => {
    const list = lists.get(provider);
    // An empty list says nothing.
    const isKnown = Array.isArray(list) && list.length > 0;
    const entry = isKnown ? list.find(({ id }) => id === model) : undefined;
    const listed = isKnown ? list.some(({ id }) => [id, withoutDate(id)].includes(model)) : null;
    const table = Object.values(defaultModelTable).find(
      (one) => one.provider === provider && one.model === model,
    );
    const ends = entry?.ends ?? table?.ends ?? null;
    const row = { provider, model, ends, replacement: entry?.replacement ?? null, listed };
    return { ...row, warning: endWarning(row, now), checkedAt: now };
  });
}

/** Some providers list only the dated names of models, and accept both. */
const withoutDate = (id: string): string => id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
