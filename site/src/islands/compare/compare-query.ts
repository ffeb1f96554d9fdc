/** The state of the compare page, stored in its address. */
export type CompareQuery = ReturnType<typeof readQuery>;

/** Limits of the number of runs that the API compares at once. */
export const fewestRuns = 2;
export const mostRuns = 20;

export function readQuery(search: string) {
  const given = new URLSearchParams(search);
  const named = (given.get("runs") ?? "").split(",").map((id) => id.trim());
  return {
    /** Runs to compare, or a single run to preselect. */
    runs: [...new Set(named)].filter((id) => id !== ""),
    /** Board to choose from if no runs are named. */
    suite: given.get("suite"),
    dataset: given.get("dataset"),
    view: given.get("view"),
    metric: given.get("metric"),
  };
}

/** The page's address for compared runs; commas are not escaped, for readability. */
export function compareSearch({ runs, view, metric }: CompareQuery): string {
  const search = new URLSearchParams();
  if (view) search.set("view", view);
  if (metric) search.set("metric", metric);
  const rest = search.size > 0 ? `&${search}` : "";
  return `?${runsParam(runs)}${rest}`;
}

export const comparePath = (runs: readonly string[]): string => `/v1/compare?${runsParam(runs)}`;

/** The command that requests the same comparison. */
export const compareCommand = (origin: string, runs: readonly string[]): string =>
  `curl "${origin}${comparePath(runs)}"`;

const runsParam = (runs: readonly string[]): string =>
  `runs=${runs.map(encodeURIComponent).join(",")}`;

/** Why this many runs can't be compared; null if they can. */
export function countProblem(count: number): string | null {
  if (count < fewestRuns) return `Choose at least ${fewestRuns} runs, not ${count}.`;
  return count > mostRuns ? `Choose at most ${mostRuns} runs, not ${count}.` : null;
}
