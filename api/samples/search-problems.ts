import type { FieldError } from "#shared/contracts/problem.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { sampleVerdicts } from "#shared/measures/report/show/sample-look.ts";
import type { SampleQuery } from "../runs/sample-store.ts";
import type { RunRecord } from "../runs/schema.ts";

/** Which samples of a run to list; null fields do not filter. */
export interface SampleSearch extends Omit<SampleQuery, "places" | "repeats"> {
  /** One sample with all its repeats. */
  id: string | null;
  /** `name:value`. */
  tag: string | null;
  /** One judged part must match all of these; a verdict may also be `wrong`, or a fault of the whole answer. */
  path: string | null;
  verdict: string | null;
  pattern: string | null;
  judge: string | null;
  /** Part of the id, the question, the answer or the expected answer. */
  text: string | null;
  /** Whether rows include a preview. */
  hasLook: boolean;
}

/** Maximum rows that a request may scan: D1 bills each. Two hundred times the largest page. */
export const MOST_LOOKED_AT = 20_000;

interface SearchProblem {
  type: "invalid-request";
  detail: string;
  errors: FieldError[];
}

/** Why a run can't be searched like this: it is too large, or nothing could match. Null if it can. */
export function searchProblem(
  run: Pick<RunRecord, "id" | "total">,
  suite: Suite | undefined,
  search: SampleSearch,
): SearchProblem | null {
  const scanned = scanning(search);
  if (scanned.length > 0 && run.total > MOST_LOOKED_AT) return tooMany(run, scanned);
  const errors = [...impossibleScores(search), ...(suite ? unknownWords(suite, search) : [])];
  if (errors.length === 0) return null;
  const detail = `no sample could be found: ${errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join("; ")}`;
  return { type: "invalid-request", detail, errors };
}

/** Query parameters that require a scan of all rows. */
const scanning = ({ order, ...search }: SampleSearch): string[] => [
  ...(order === "seq" ? [] : ["order"]),
  ...(["status", "covered", "error", "min", "max", "tag"] as const).filter(
    (name) => search[name] !== null,
  ),
];

function tooMany(
  { id, total }: Pick<RunRecord, "id" | "total">,
  parameters: readonly string[],
): SearchProblem {
  const detail = `run "${id}" has ${total} samples, and only runs of up to ${MOST_LOOKED_AT} can be sorted or filtered here`;
  const errors = parameters.map((parameter) => ({ parameter, detail }));
  return { type: "invalid-request", detail, errors };
}

function impossibleScores({ min, max }: SampleSearch): FieldError[] {
  const range = "scores of samples are 0 to 1";
  const errors: FieldError[] = [];
  if (min !== null && min > 1) errors.push({ parameter: "min", detail: `${min}: ${range}` });
  if (max !== null && max < 0) errors.push({ parameter: "max", detail: `${max}: ${range}` });
  if (errors.length === 0 && min !== null && max !== null && min > max) {
    errors.push({ parameter: "min", detail: `${min} is above max ${max}` });
  }
  return errors;
}

function unknownWords(suite: Suite, { verdict, pattern }: SampleSearch): FieldError[] {
  const patterns = suite.fieldTable.parts?.patterns ?? [];
  const given = [
    ["verdict", verdict, sampleVerdicts(suite)],
    ["pattern", pattern, patterns],
  ] as const;
  return given.flatMap(([parameter, word, known]) =>
    word === null || known.includes(word)
      ? []
      : [
          {
            parameter,
            detail: `"${word}" is not one of ${known.join(", ") || "those of this suite, which has none"}`,
          },
        ],
  );
}
