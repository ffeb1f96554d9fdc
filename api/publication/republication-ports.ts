import type { BoardRecord, ListPage } from "../platform/ports.ts";
import type { republications } from "./republication-schema.ts";

/** Which version of a suite scores now. */
interface SuiteVersion {
  id: string;
  version: string;
}

export type RepublicationRecord = typeof republications.$inferSelect;

type ListedRepublication = RepublicationRecord & { omitted: number };

/** Re-publications of boards. */
export interface RepublicationStore {
  /** False where the board is being re-published already. */
  start(republication: RepublicationRecord): Promise<boolean>;
  get(id: string): Promise<RepublicationRecord | null>;
  /** Newest first, of those from or to a board, or of all; each with its first changes, and how many are left out. */
  list(board: string | null, page: ListPage): Promise<ListedRepublication[]>;
  /** Those that have not finished. */
  open(): Promise<RepublicationRecord[]>;
  /** Has the old board give way to the new one, which is open to new runs; nothing, where it has finished. */
  finish(
    republication: Pick<RepublicationRecord, "id" | "fromBoard" | "toBoard" | "changes">,
    now: number,
  ): Promise<void>;
  /** Takes back one that has not finished. */
  abandon(id: string): Promise<void>;
  /**
   * Boards with answers to score anew, of which none is under way: whose dataset version was corrected, or, where no judge
   * is asked, whose suite has another version than `suites` says. Each is named until it was tried once. Runs on them
   * that were submitted after `since` are waited for.
   */
  due(suites: readonly SuiteVersion[], since: number, limit: number): Promise<string[]>;
  /** Whether answers of an older board of the same configuration are due to be scored anew for this one. */
  isAwaited(
    board: Pick<
      BoardRecord,
      "id" | "suite" | "datasetName" | "promptHash" | "structuredOutput" | "repeats"
    >,
    suites: readonly SuiteVersion[],
  ): Promise<boolean>;
}
