import type {
  AccountExport,
  ExportedFile,
  ExportedRows,
} from "#shared/contracts/keys/account-data.ts";
import type { Platform } from "../platform/platform.ts";
import { areAnswersGone } from "../runs/run-objects.ts";
import { exportedTables } from "./export-store.ts";

/** Runs per page: one query each, and some hundred kilobytes of rows. */
const RUNS = 200;
const DATASETS = 500;
const ROWS = 500;

/**
 * A page of the files of an account's export, each with its address. `after`: the last entry of the previous page;
 * empty for the first page.
 */
export async function exportPage(
  platform: Platform,
  owner: string,
  after: string,
): Promise<AccountExport> {
  if (after === "") return { owner, files: await firstFiles(platform, owner), next: "d0" };
  const rest = after.slice(1);
  return after.startsWith("d")
    ? datasetPage(platform, owner, Number(rest))
    : runPage(platform, owner, rest);
}

async function firstFiles({ exports }: Platform, owner: string): Promise<ExportedFile[]> {
  const tables = Object.keys(exportedTables).map((name) => ({
    path: `${name}.json`,
    url: `/v1/account/export/${name}`,
    isPaged: true,
  }));
  const parities = (await exports.parities(owner)).map(({ name }) => ({
    path: `parities/${name.split("/")[1]}.json`,
    url: `/v1/parities/${name.split("/").map(encodeURIComponent).join("/")}`,
    isPaged: false,
  }));
  return [...tables, ...parities];
}

async function datasetPage(
  { exports }: Platform,
  owner: string,
  offset: number,
): Promise<AccountExport> {
  const found = await exports.datasets(owner, offset, DATASETS);
  const files = found.map(({ suite, name, version }) => ({
    path: `datasets/${suite}/${name}/${version}.jsonl`,
    url: `/v1/dataset.jsonl?${new URLSearchParams({ suite, dataset: `${name}@${version}` })}`,
    isPaged: false,
  }));
  return { owner, files, next: found.length < DATASETS ? "r" : `d${offset + DATASETS}` };
}

async function runPage(platform: Platform, owner: string, after: string): Promise<AccountExport> {
  const found = await platform.exports.runs(owner, after, RUNS);
  const files = found.flatMap(({ id, ...run }) =>
    namesOf(platform, run).map(([path, address]) => ({
      path: `runs/${id}/${path}`,
      url: `/v1/runs/${id}${address}`,
      isPaged: false,
    })),
  );
  const last = found.at(-1);
  return { owner, files, next: found.length < RUNS || !last ? null : `r${last.id}` };
}

type ListedRun = Omit<Awaited<ReturnType<Platform["exports"]["runs"]>>[number], "id">;

/** Files of a run, with the suffixes of their addresses. */
function namesOf(platform: Platform, run: ListedRun): [path: string, address: string][] {
  const isFinished = run.status === "finished";
  const hasAnswers = !areAnswersGone(
    { ...run, finishedAt: null, answerDays: null },
    platform.settings,
    platform.now(),
  );
  return [
    ["run.json", ""],
    ["samples.jsonl", "/samples.jsonl"],
    ...(hasAnswers ? [["answers.jsonl", "/answers.jsonl?whole=true"] as [string, string]] : []),
    ...(isFinished
      ? ([
          ["aggregates.json", "/aggregates.json"],
          ["statement.json", "/statement"],
        ] as [string, string][])
      : []),
    ...(run.people === null ? [] : [["ratings.jsonl", "/ratings.jsonl"] as [string, string]]),
  ];
}

/** Exported rows of a table that belong to an account; null if the table is not exported. */
export async function exportRows(
  { exports }: Platform,
  owner: string,
  name: string,
  offset: number,
): Promise<ExportedRows | null> {
  if (!Object.hasOwn(exportedTables, name)) return null;
  const rows = await exports.rows(name, owner, offset, ROWS);
  return {
    rows: rows as ExportedRows["rows"],
    next: rows.length < ROWS ? null : `${offset + ROWS}`,
  };
}
