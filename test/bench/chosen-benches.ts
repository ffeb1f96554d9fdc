import type { Bench } from "./bench.ts";
import { benches } from "./rows/all.ts";

const known = new Set(benches.flatMap(({ rows }) => rows.map(({ name }) => name)));
const ownName = (name: string) => name.slice(name.indexOf("/") + 1);
const ownNames = new Set([...known].map(ownName));

const begins = (name: string, one: string) => name.startsWith(one) || ownName(name).startsWith(one);

/** A bench with at least one wanted row. */
interface ChosenBench {
  bench: Bench;
  isWanted: (row: { name: string }) => boolean;
}

/** The benches that match names of rows, groups or prefixes; all without names. Throws if a name matches nothing. */
export function chosenBenches(names: readonly string[]): ChosenBench[] {
  for (const one of names) requireOne(one);
  const isWanted = ({ name }: { name: string }) =>
    names.length === 0 || names.some((one) => isNamed(name, one));
  return benches.filter((bench) => bench.rows.some(isWanted)).map((bench) => ({ bench, isWanted }));
}

function isNamed(name: string, one: string): boolean {
  if (known.has(one)) return name === one;
  return ownNames.has(one) ? ownName(name) === one : begins(name, one);
}

function requireOne(one: string): void {
  if (![...known].some((name) => begins(name, one)))
    throw new Error(`no row starts with ${one}; the rows are\n  ${[...known].join("\n  ")}`);
  const same = [...known].filter((name) => ownName(name) === one);
  if (same.length > 1) throw new Error(`${one} is ambiguous: use ${same.join(" or ")}`);
}
