import type { SnapshotKind } from "#shared/contracts/boards/snapshot.ts";
import { contentHash, textHash } from "#shared/contracts/content-hash.ts";
import { boardFolder, shownBoard } from "../boards/board-pages.ts";
import type { BoardRecord } from "../boards/schema.ts";
import { parityView } from "../comparisons/parity-view.ts";
import { withPlannedTest } from "../comparisons/planned-test.ts";
import { boardFacts } from "../judging/bridge.ts";
import { readerOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { runFolder } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { boardView, listedDataset, wholeRun } from "../runs/view.ts";
import type { SnapshotItem } from "./schema.ts";

/** The current listing of an item, with its object; null: it is not listed. */
interface Listing {
  /** Its line on an index page, as JSON. */
  entry: string;
  /** Its own object; null: the line has all its data. */
  object: NamedObject | null;
}

/** An object whose key contains the hash of its text. */
export interface NamedObject {
  key: string;
  text: string;
}

/** Folder of a run's published objects. Inside the run's folder, so that it is deleted with the run. */
const publishedRunsFolder = (run: string): string => `${runFolder(run)}published/`;
export const publishedRunKey = (run: string, hash: string): string =>
  `${publishedRunsFolder(run)}${hash}.json`;

export const publishedBoardKey = (board: string, hash: string): string =>
  `${boardFolder(board)}${hash}.json`;

const listings: Record<SnapshotKind, (platform: Platform, id: string) => Promise<Listing | null>> =
  {
    async runs(platform, id) {
      const run = await platform.runs.get(id);
      if (run === null || !isPublished(run)) return null;
      const whole = await wholeRun(platform, run, null);
      const shown = await withPlannedTest(platform, run, whole, readerOf(null), true);
      const submittedBy = await platform.domains.publicOwner(run.owner, platform.now());
      const text = JSON.stringify({ ...shown, ...(submittedBy && { submittedBy }) });
      const hash = textHash(text);
      const finishedAt = run.finishedAt === null ? null : new Date(run.finishedAt).toISOString();
      return {
        entry: JSON.stringify({ id, hash, finishedAt }),
        object: { key: publishedRunKey(id, hash), text },
      };
    },

    async boards(platform, id) {
      const board = await platform.boards.get(id);
      if (board === null || board.entries.length === 0 || !(await isPublicBoard(platform, board))) {
        return null;
      }
      const view = boardView(board, await boardFacts(platform, board));
      const pages = board.pages.map(({ hash, entries }) => ({ hash, entries }));
      const text = JSON.stringify({ ...view, pages });
      const hash = textHash(text);
      return {
        entry: JSON.stringify({ id, hash }),
        object: { key: publishedBoardKey(id, hash), text },
      };
    },

    async datasets(platform, id) {
      const [suite, name, version] = JSON.parse(id) as [string, string, string];
      const dataset = await platform.datasets.find(suite, name, version);
      if (dataset === null || !(await platform.datasets.isShown(dataset))) return null;
      const { malformed: _, warnings: __, ...listed } = listedDataset(dataset);
      return { entry: JSON.stringify(listed), object: null };
    },

    async sweeps(platform, id) {
      const runs = await platform.runs.endedSweep(id);
      if (runs === null || runs.length === 0) return null;
      const hash = contentHash(runs.map(({ id: run, finishedAt }) => [run, finishedAt]));
      return { entry: JSON.stringify({ submission: id, hash }), object: null };
    },

    async parities(platform, id) {
      const found = await parityView(platform, id, readerOf(null), true);
      return found && { entry: JSON.stringify(found.view), object: null };
    },
  };

/**
 * Boards in public lists: of existing datasets, and with standard options or created by an admin. Other boards are only
 * readable by id, because any submitter can create them.
 */
async function isPublicBoard(platform: Platform, board: BoardRecord): Promise<boolean> {
  if (!board.isDefault && board.madeBy !== null) return false;
  const { suite, datasetName, datasetVersion } = board;
  const dataset = await platform.datasets.find(suite, datasetName, datasetVersion);
  return dataset !== null && (await shownBoard(platform, board)) !== null;
}

/** Maximum queries to publish one change. */
export const QUERIES: Readonly<Record<SnapshotKind, number>> = {
  runs: 5,
  boards: 8,
  datasets: 2,
  sweeps: 1,
  parities: 4,
};

/** Runs in public lists: finished and failed, but not cancelled ones. */
const isPublished = (run: RunRecord): boolean =>
  run.visibility === "public" &&
  (run.status === "finished" || run.status === "failed") &&
  run.hiddenReason === null &&
  run.deletedAt === null;

export const listingOf = (
  platform: Platform,
  { kind, id }: Pick<SnapshotItem, "kind" | "id">,
): Promise<Listing | null> => listings[kind](platform, id);

/**
 * The folder whose objects must be deleted at once, even if a running build needs them: of a run that was hidden or
 * deleted, or of a board that listed one since `since`. Null if nothing was withdrawn.
 */
export async function withdrawnFolder(
  platform: Platform,
  { kind, id }: Pick<SnapshotItem, "kind" | "id">,
  isListed: boolean,
  since: number,
): Promise<string | null> {
  if (kind === "boards") {
    return ((await platform.boards.get(id))?.withdrawnAt ?? 0) > since ? boardFolder(id) : null;
  }
  if (kind !== "runs" || isListed) return null;
  const run = await platform.runs.get(id);
  const isWithdrawn =
    run === null ||
    run.visibility === "private" ||
    run.hiddenReason !== null ||
    run.deletedAt !== null;
  return isWithdrawn ? publishedRunsFolder(id) : null;
}
