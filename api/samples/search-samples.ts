import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { ListedSample, SampleLook, SamplePage } from "#shared/contracts/run.ts";
import type { JudgedPart } from "#shared/contracts/suite.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import { sampleToShow } from "#shared/measures/report/run/sample-blocks.ts";
import { sampleLook } from "#shared/measures/report/show/sample-look.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/run-objects.ts";
import { sampleRowView, wholeSample } from "../runs/samples.ts";
import type { RunRecord, SampleRecord } from "../runs/schema.ts";
import { storedBySeq } from "../runs/stored-samples.ts";
import { type SampleSearch, searchProblem } from "./search-problems.ts";

/** Maximum answers that a search reads: a few megabytes, and half as many objects as a free plan allows. */
export const MOST_SEARCHED = 400;

/** Answers read at once: they share objects. */
const AT_ONCE = 50;

type Refused =
  | { type: "invalid-request"; detail: string; errors: FieldError[] }
  | { type: "gone"; detail: string };

/** A page of a run's samples. For large runs, queries that scan all rows are refused. */
export async function searchSamples(
  platform: Platform,
  run: RunRecord,
  search: SampleSearch,
): Promise<Result<SamplePage, Refused>> {
  const problem = searchProblem(run, platform.suites.byId(run.suite), search);
  if (problem !== null) return err(problem);
  const isGone = areAnswersGone(run, platform.settings, platform.now());
  const isDeep = searched.some((name) => search[name] !== null);
  if (isDeep && isGone) return err({ type: "gone", detail: answersGoneDetail(run) });
  const needsPlan = isDeep || search.hasLook || search.tag !== null || search.id !== null;
  if (!needsPlan) {
    const rows = await platform.runs.sampleList(run.id, { ...search, places: null, repeats: 1 });
    return ok({ samples: rows.map(sampleRowView), nextCursor: cursorAfter(rows, search.limit) });
  }
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const limit = isDeep ? MOST_SEARCHED : search.limit;
  const rows = await rowsOf(platform, work, { ...search, limit });
  if (isDeep) return ok(await deepPage(platform, work, search, rows));
  const looks = search.hasLook && !isGone ? await looksAt(platform, work, rows) : new Map();
  const samples = rows.map((row) => listed(row, search, looks.get(row.seq)));
  return ok({ samples, nextCursor: search.id === null ? cursorAfter(rows, limit) : null });
}

/** Filters that need the answers themselves. */
const searched = ["path", "verdict", "pattern", "judge", "text"] as const;

const cursorAfter = (rows: readonly SampleRecord[], limit: number): string | null =>
  rows.length === limit ? `${rows.at(-1)?.seq}` : null;

/** The rows that pass the filters that need no answers. */
async function rowsOf(
  { runs }: Pick<Platform, "runs">,
  { run, plan }: RunWork,
  search: SampleSearch,
): Promise<SampleRecord[]> {
  const { id, tag } = search;
  const { heads, repeats } = plan;
  if (id !== null) {
    const place = heads.findIndex((head) => head.id === id);
    const seqs = Array.from({ length: place < 0 ? 0 : repeats }, (_, i) => place * repeats + i);
    return runs.samplesAt(run.id, seqs);
  }
  const places = tag === null ? null : placesOf(heads, tag);
  return runs.sampleList(run.id, { ...search, places, repeats });
}

/** Places of samples with a tag; without a colon, every sample that has the tag name. */
function placesOf(heads: RunWork["plan"]["heads"], tag: string): number[] {
  const colon = tag.indexOf(":");
  const [name, value] = colon < 0 ? [tag, null] : [tag.slice(0, colon), tag.slice(colon + 1)];
  return heads.flatMap(({ tags }, place) => {
    const its = Object.hasOwn(tags, name) ? tags[name] : undefined;
    return its !== undefined && (value === null || its === value) ? [place] : [];
  });
}

interface Looked {
  look: SampleLook;
  parts: readonly JudgedPart[];
  /** Id, question, answer and expected answer in lower case. */
  text: string;
}

/** Previews of rows' answers by position; missing for answers that are not stored or of an older version. */
async function looksAt(
  platform: Platform,
  work: RunWork,
  rows: readonly SampleRecord[],
): Promise<Map<number, Looked>> {
  const { suite, run } = work;
  const stored = await storedBySeq(platform.objects, rows);
  const found = new Map<number, Looked>();
  for (const row of rows) {
    const its = stored.get(row.seq);
    if (its === undefined) continue;
    const result = await wholeSample(platform, work, row, its);
    const shown = sampleToShow(suite, result);
    if (shown === null || shown.score.detail === null) continue;
    const looked = readStored(suite, run, () => sampleLook(suite, shown), null);
    if (looked === null) continue;
    const { input, references } = suite.sampleText(shown.sample);
    const text = [row.sampleId, input, its.answer.output ?? "", ...references].join("\n");
    found.set(row.seq, { ...looked, text: text.toLowerCase() });
  }
  return found;
}

/** A page of matching samples; it ends after `MOST_SEARCHED` rows even if it is not full. */
async function deepPage(
  platform: Platform,
  work: RunWork,
  search: SampleSearch,
  rows: readonly SampleRecord[],
): Promise<SamplePage> {
  const samples: ListedSample[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    const looks = await looksAt(platform, work, some);
    for (const [i, row] of some.entries()) {
      const looked = looks.get(row.seq);
      if (looked === undefined || !fits(looked, search)) continue;
      samples.push(listed(row, search, looked));
      if (samples.length < search.limit) continue;
      return { samples, nextCursor: `${row.seq}`, searched: from + i + 1 };
    }
  }
  return { samples, nextCursor: cursorAfter(rows, MOST_SEARCHED), searched: rows.length };
}

function fits({ look, parts, text }: Looked, search: SampleSearch): boolean {
  const { path, verdict, pattern, judge } = search;
  if (search.text !== null && !text.includes(search.text.toLowerCase())) return false;
  const ofPart = [path, pattern, judge].some((one) => one !== null);
  if (!ofPart && (verdict === null || verdict === look.fault)) return true;
  const hasVerdict = (part: JudgedPart) =>
    verdict === null || (verdict === "wrong" ? part.isRight === false : part.verdict === verdict);
  return parts.some(
    (part) =>
      (path === null || matchesPattern(path, part.path)) &&
      (pattern === null || part.patterns.includes(pattern)) &&
      (judge === null || part.judge === judge) &&
      (hasVerdict(part) || verdict === look.fault),
  );
}

const listed = (
  row: SampleRecord,
  { hasLook }: SampleSearch,
  looked: Looked | undefined,
): ListedSample => ({ ...sampleRowView(row), ...(hasLook && { look: looked?.look ?? null }) });

/**
 * Whether a text matches a pattern; `*` matches any characters, and the case of letters does not matter. Linear in the
 * text for each star, so no pattern is expensive.
 * @example matchesPattern("*date*", "invoice.due_date") // true
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const given = text.toLowerCase();
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return given === first;
  if (!given.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = given.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return given.length - last.length >= at && given.endsWith(last);
}
