import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { boardCanaries } from "../drift/canaries.ts";
import { boardBridges } from "../judging/bridge.ts";
import { judgeWarnings } from "../judging/judge-models.ts";
import type { Platform } from "../platform/platform.ts";
import type { BoardRecord } from "./schema.ts";

/** What a board shows of its judges besides their names. */
export async function boardFacts(
  platform: Platform,
  board: BoardRecord,
): Promise<Pick<Leaderboard, "canaries" | "judgeWarnings" | "bridges">> {
  const [canaries, warnings, bridges] = await Promise.all([
    boardCanaries(platform, board),
    judgeWarnings(platform, board.judging),
    boardBridges(platform, board),
  ]);
  return { canaries, judgeWarnings: warnings, bridges };
}
