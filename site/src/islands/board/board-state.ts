/** A reader's view of a table of models, stored in the page's address. */
export interface BoardState {
  /** Part of a name or an id. */
  q: string;
  provenance: string;
  /** `real`, `simulated`, or all. */
  models: string;
  /** A tie group; empty: all. */
  ties: string;
  /** Key of the sorted column; empty: sorted by rank. */
  sort: string;
  order: "" | "ascending" | "descending";
}

export const noState: BoardState = {
  q: "",
  provenance: "",
  models: "",
  ties: "",
  sort: "",
  order: "",
};

/** Whether the reader has searched, filtered or sorted. */
export const hasChoice = (state: BoardState): boolean =>
  Object.values(state).some((value) => value !== "");

const orders = ["ascending", "descending"] as const;

/** Reads the state from a query; ignores columns that the table lacks, and invalid values. */
export function readState(query: string, keys: readonly string[]): BoardState {
  const said = new URLSearchParams(query);
  const of = (name: string): string => said.get(name) ?? "";
  const sort = keys.includes(of("sort")) ? of("sort") : "";
  const order = orders.find((one) => one === of("order"));
  return {
    q: of("q"),
    provenance: of("provenance"),
    models: of("models"),
    ties: of("ties"),
    ...(sort === "" || order === undefined ? { sort: "", order: "" } : { sort, order }),
  };
}

/** The query with the state and its other parameters; may be empty. */
export function writeState(state: BoardState, query: string): string {
  const said = new URLSearchParams(query);
  for (const [name, value] of Object.entries(state)) {
    if (value === "") said.delete(name);
    else said.set(name, value);
  }
  const text = said.toString();
  return text === "" ? "" : `?${text}`;
}

/** The state after a click on a column's button: the column's first order, then the other, then by rank again. */
export function sortedBy(
  state: BoardState,
  key: string,
  first: "ascending" | "descending",
): BoardState {
  if (state.sort !== key) return { ...state, sort: key, order: first };
  const second = first === "ascending" ? "descending" : "ascending";
  if (state.order === first) return { ...state, order: second };
  return { ...state, sort: "", order: "" };
}
