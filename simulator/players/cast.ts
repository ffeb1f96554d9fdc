import type { JsonObject } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { extractionPlayer, structuredPlayer } from "./extraction.ts";
import { judgesPlayer } from "./judges.ts";
import { memoryPlayer, stagesPlayer } from "./memory.ts";
import type { Claim, PlayerMaker } from "./player.ts";
import { prosePlayer } from "./prose.ts";
import { slotsPlayer } from "./slots.ts";
import { toolsPlayer } from "./tools.ts";

/**
 * The first that claims a request answers it, so one that knows samples comes before the generic one, one
 * that looks for whole conversations before one that looks for any text, and judges before all whose
 * samples they may be shown.
 */
const makers: readonly PlayerMaker[] = [
  stagesPlayer,
  judgesPlayer,
  memoryPlayer,
  toolsPlayer,
  slotsPlayer,
  extractionPlayer,
  structuredPlayer,
];

/** Who answers which request, given the datasets; what nobody claims is answered in prose. */
export function castPlayers(rows: readonly JsonObject[]): (request: ParsedChat) => Claim {
  const players = makers.map((make) => make(rows));
  const prose = prosePlayer(rows);
  return (request) => {
    for (const player of players) {
      const claim = player.claim(request);
      if (claim !== null) return claim;
    }
    return prose.claim(request);
  };
}
