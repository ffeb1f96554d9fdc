import { execFileSync } from "node:child_process";

/** A running process. */
interface Listed {
  pid: number;
  parent: number;
  /** Resident memory including shared pages, MB. */
  rssMb: number;
  args: string;
}

function allProcesses(): Listed[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" });
  return lines.split("\n").flatMap((line) => {
    const [, pid, parent, kilobytes, args = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return { pid: Number(pid), parent: Number(parent), rssMb: Number(kilobytes) / 1024, args };
  });
}

/** A process and its descendants. */
export function processTree(root: number): Listed[] {
  const all = allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** The processes of a tree that are still running. */
export function livingOf(tree: readonly Listed[]): Listed[] {
  const now = new Map(allProcesses().map((one) => [one.pid, one.args]));
  return tree.filter(({ pid, args }) => now.get(pid) === args);
}
