import type { JsonObject } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { extractionResponder, structuredResponder } from "./extraction.ts";
import { judgesResponder } from "./judges.ts";
import { memoryResponder, stagesResponder } from "./memory.ts";
import { proseResponder } from "./prose.ts";
import type { Claim, MakeResponder } from "./responder.ts";
import { slotsResponder } from "./slots.ts";
import { toolsResponder } from "./tools.ts";

/**
 * The first that claims a request answers it, so one that knows samples comes before the generic one, one
 * that looks for whole conversations before one that looks for any text, and judges before all whose
 * samples they may be shown.
 */
const makers: readonly MakeResponder[] = [
  stagesResponder,
  judgesResponder,
  memoryResponder,
  toolsResponder,
  slotsResponder,
  extractionResponder,
  structuredResponder,
];

/** Who answers which request, given the datasets; what nobody claims is answered in prose. */
export function responderFor(rows: readonly JsonObject[]): (request: ParsedChat) => Claim {
  const responders = makers.map((make) => make(rows));
  const prose = proseResponder(rows);
  return (request) => {
    for (const responder of responders) {
      const claim = responder.claim(request);
      if (claim !== null) return claim;
    }
    return prose.claim(request);
  };
}
