/** The state of the compare page, which is stored in its address. */
export type CompareQuery = ReturnType<typeof readQuery>;

/** How many runs the API compares at once. */
export const fewestRuns = 2;
export const mostRuns = 20;

/** Reads the page's address. */
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

/** The page's address for compared runs; commas are not escaped, because people read it. */
export function compareSearch({ runs, view, metric }: CompareQuery): string {
  const search = new URLSearchParams();
  if (view) search.set("view", view);
  if (metric) search.set("metric", metric);
  const rest = search.size > 0 ? `&${search}` : "";
  return `?${runsParam(runs)}${rest}`;
}

/** Path of the comparison in the API. */
export const comparePath = (runs: readonly string[]): string => `/v1/compare?${runsParam(runs)}`;

/** The same comparison in a shell. */
export const compareCommand = (origin: string, runs: readonly string[]): string =>
  `curl "${origin}${comparePath(runs)}"`;

const runsParam = (runs: readonly string[]): string =>
  `runs=${runs.map(encodeURIComponent).join(",")}`;

/** Why this number of runs can't be compared; null if it can. */
export function countProblem(count: number): string | null {
  if (count < fewestRuns) return `Choose at least ${fewestRuns} runs, not ${count}.`;
  return count > mostRuns ? `Choose at most ${mostRuns} runs, not ${count}.` : null;
}
