import type { Problem } from "#shared/contracts/problem.ts";

/**
 * Why the service refused: first the reason, then a line for each field that needs a change. Null where the
 * reply is no problem as the service's API describes them.
 */
export async function problemLines(response: Response): Promise<string[] | null> {
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  if (typeof problem?.detail !== "string") return null;
  const fields = (problem.errors ?? []).map(({ pointer, parameter, line, detail }) => {
    const place = pointer ?? parameter ?? (line === undefined ? null : `line ${line}`);
    return place === null ? detail : `${place}: ${detail}`;
  });
  return [problem.detail, ...fields];
}
