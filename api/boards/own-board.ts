import type {
  Attempts,
  Leaderboard,
  LeaderboardEntry,
} from "#shared/contracts/boards/leaderboard.ts";
import { headlineOf, optionsFor } from "#shared/contracts/boards/ranking.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { boardFacts } from "../judging/bridge.ts";
import { standardJudgingOf } from "../judging/resolve-judging.ts";
import { type Account, readerOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { boardView } from "../runs/view.ts";
import { noAttempts } from "./attempt-store.ts";
import { boardIdentity, promptHashOf } from "./board-identity.ts";
import { ENTRIES_A_PAGE, type NamedBoard, noBoard } from "./board-pages.ts";
import { entriesOf, placed } from "./rank-board.ts";
import type { BoardRecord } from "./schema.ts";

/**
 * The board of an account's own runs on a dataset with the suite's standard options, private and unlisted ones included.
 * It is ranked for each request and never stored, so nobody else can read it. At most a page of models.
 */
export async function ownBoard(
  platform: Platform,
  account: Account,
  named: NamedBoard,
): Promise<Result<Leaderboard, { type: "not-found"; detail: string }>> {
  const suite = platform.suites.byId(named.suite);
  const [name = "", version = null] = named.dataset.split("@");
  const dataset =
    suite && (await platform.datasets.find(suite.id, name, version, readerOf(account)));
  if (!suite || !dataset) return err(noBoard(platform, named));
  const standard = suite.optionsSchema.parse({});
  const isHybrid = named.headline !== undefined && named.headline !== headlineOf(suite, standard);
  const suiteOptions = optionsFor(suite, standard, { isHybrid, sources: [] });
  const judging = standardJudgingOf(platform.judging, suite);
  const which = { suite, suiteOptions, dataset, plan: { repeats: 1 }, judging };
  const identity = boardIdentity(
    { ...which, standardJudging: judging },
    promptHashOf(suite, suiteOptions),
  );
  const found = await platform.runs.newestOfOwner(identity.id, readerOf(account).owner);
  const candidates = found.slice(0, ENTRIES_A_PAGE);
  if (candidates.length === 0) return err(noBoard(platform, named));
  const { listed, shown, ...ranking } = await placed(platform, identity, candidates);
  const tried = new Map<string, Attempts>(
    candidates.map(({ model, finished }) => [
      model.slug,
      { ...noAttempts, total: finished, finished },
    ]),
  );
  const entries: LeaderboardEntry[] = [];
  for await (const page of entriesOf(platform, listed, tried, shown)) entries.push(...page);
  const board: BoardRecord = {
    ...identity,
    ...ranking,
    entries,
    pages: [],
    updatedAt: platform.now(),
    supersededBy: null,
    supersededAt: null,
    withdrawnAt: 0,
    leaseExpiresAt: 0,
  };
  return ok(boardView(board, await boardFacts(platform, board)));
}
