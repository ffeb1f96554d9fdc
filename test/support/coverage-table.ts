import type { Reporter } from "vitest/node";

/** Istanbul's covered and total counts of one kind. */
interface Share {
  covered: number;
  total: number;
}

const kinds = ["statements", "branches", "functions", "lines"] as const;
type Summary = Record<(typeof kinds)[number], Share>;

/** The used part of Istanbul's coverage map. */
interface CoverageMap {
  files(): string[];
  fileCoverageFor(file: string): { toSummary(): Summary };
}

/** Prints the coverage of each folder if it was measured. */
export default class CoverageTable implements Reporter {
  onCoverage(coverage: unknown): void {
    const map = coverage as CoverageMap;
    const folders = new Map<string, Summary>();
    for (const file of map.files().toSorted()) {
      const summary = map.fileCoverageFor(file).toSummary();
      for (const folder of foldersOf(file)) add(folders, folder, summary);
    }
    const rows = [...folders].map(([folder, summary]) => [
      folder,
      ...kinds.map((kind) => percentage(summary[kind])),
      `${summary.lines.total}`,
    ]);
    const head = ["folder", ...kinds, "of lines"];
    const widths = head.map((_, k) => Math.max(...[head, ...rows].map((row) => row[k]!.length)));
    const padded = (cell: string, k: number) =>
      k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!);
    console.log(`\n${[head, ...rows].map((row) => row.map(padded).join("  ")).join("\n")}`);
  }
}

/** The file's top folder and subfolder: "api" and "api/keys" for `api/keys/store.ts`. */
function foldersOf(file: string): string[] {
  const [part = "", ...rest] = file.slice(process.cwd().length + 1).split("/");
  const [folder] = rest;
  return rest.length > 1 ? [part, `${part}/${folder}`] : [part, `${part}/*.ts`];
}

function add(folders: Map<string, Summary>, folder: string, summary: Summary): void {
  const sums = folders.get(folder) ?? empty();
  for (const kind of kinds) {
    sums[kind].covered += summary[kind].covered;
    sums[kind].total += summary[kind].total;
  }
  folders.set(folder, sums);
}

const empty = (): Summary => ({
  statements: { covered: 0, total: 0 },
  branches: { covered: 0, total: 0 },
  functions: { covered: 0, total: 0 },
  lines: { covered: 0, total: 0 },
});

const percentage = ({ covered, total }: Share): string =>
  total === 0 ? "none" : `${((100 * covered) / total).toFixed(1)}%`;
