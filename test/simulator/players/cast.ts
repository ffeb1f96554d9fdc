import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { extractionPlayer } from "./extraction.ts";
import type { Claim, PlayerMaker } from "./player.ts";
import { claimProse } from "./prose.ts";
import { structuredPlayer } from "./structured.ts";
import { toolsPlayer } from "./tools.ts";

/** The first that claims a request answers it, so one that knows samples stands before its generic kin. */
const makers: readonly PlayerMaker[] = [toolsPlayer, extractionPlayer, structuredPlayer];

/** Who answers which request, given the datasets; what nobody claims is answered in prose. */
export function castPlayers(rows: readonly JsonObject[]): (request: ParsedChat) => Claim {
  const players = makers.map((make) => make(rows));
  return (request) => {
    for (const player of players) {
      const claim = player.claim(request);
      if (claim !== null) return claim;
    }
    return claimProse(request);
  };
}
