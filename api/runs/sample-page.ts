import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SamplePage } from "#shared/contracts/run.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import type { SampleQuery } from "./run-ports.ts";
import { sampleRowView } from "./sample-view.ts";

/** Rows that a request may look at: D1 bills each, and these are two hundred times those of a page. */
export const MOST_LOOKED_AT = 20_000;

type TooMany = { type: "invalid-request"; detail: string; errors: FieldError[] };

/** A page of a run's samples. What looks at all of its rows is refused to a large run. */
export async function samplePage(
  ports: Pick<Ports, "runs">,
  { id, total }: Pick<RunRecord, "id" | "total">,
  query: SampleQuery,
): Promise<Result<SamplePage, TooMany>> {
  const parameters = scanning(query);
  if (parameters.length > 0 && total > MOST_LOOKED_AT) {
    const detail = `run "${id}" has ${total} samples, and only runs of up to ${MOST_LOOKED_AT} can be sorted or filtered here`;
    const errors = parameters.map((parameter) => ({ parameter, detail }));
    return err({ type: "invalid-request", detail, errors });
  }
  const rows = await ports.runs.sampleList(id, query);
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return ok({ samples: rows.map(sampleRowView), nextCursor: last ? `${last.seq}` : null });
}

/** The parameters for whose sake all rows are looked at. */
const scanning = ({ order, status, covered }: SampleQuery): string[] => [
  ...(order === "score" ? ["order"] : []),
  ...(status === null ? [] : ["status"]),
  ...(covered === null ? [] : ["covered"]),
];
