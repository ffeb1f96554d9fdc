import { spawnSync } from "node:child_process";
import { BadInput } from "../errors.ts";

/** Maximum size of a baseline. */
const MAX_BYTES = 256 << 20;

/** A file of a git branch. */
interface BranchFile {
  text: string;
  /** Abbreviated commit of the branch. */
  commit: string;
}

/**
 * A file on a branch of the working folder's repository; the path is relative to the working folder. If the branch is
 * not local, the clone's copy of the branch at `origin` is read. Throws BadInput.
 */
export function branchFile(branch: string, path: string): BranchFile {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  if (git("rev-parse", "--git-dir") === null) {
    throw new BadInput(
      `branch:${branch}: this folder is not in a git repository, or git is not installed`,
    );
  }
  const commit = refs
    .map((ref) => git("rev-parse", "--verify", "--quiet", "--short=12", `${ref}^{commit}`))
    .find((found) => found !== null);
  if (commit === undefined || commit === null) {
    throw new BadInput(
      `branch:${branch}: this clone has no branch ${branch}: run git fetch origin ${branch}:${refs[1]}, or use fetch-depth: 0 with actions/checkout`,
    );
  }
  const text = git("show", `${commit.trim()}:./${path}`);
  if (text !== null) return { text, commit: commit.trim() };
  throw new BadInput(
    `branch:${branch}: the branch has no ${path}: commit one there, written by assay run --save-baseline ${path}, or name another file with branch:${branch}:PATH`,
  );
}

/** Time of a file's last commit in ISO format; null if the file is not in git or was changed since. */
export function committedAt(path: string): string | null {
  if (git("status", "--porcelain", "--", path) !== "") return null;
  const at = git("log", "-1", "--format=%cI", "--", path)?.trim() ?? "";
  return at === "" ? null : new Date(at).toISOString();
}

/** Standard output of git; null if it fails. Throws BadInput if the output is too large. */
function git(...args: string[]): string | null {
  const options = { encoding: "utf8", maxBuffer: MAX_BYTES } as const;
  const { status, stdout, error } = spawnSync("git", args, options);
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOBUFS") throw new BadInput(`the file is larger than ${MAX_BYTES >> 20} MB`);
  if (error !== undefined) return null;
  return status === 0 ? stdout : null;
}
