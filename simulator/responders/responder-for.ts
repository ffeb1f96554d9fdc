import type { JsonObject } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { extractionResponder, structuredResponder } from "./extraction.ts";
import { judgesResponder } from "./judges.ts";
import { memoryResponder, stagesResponder } from "./memory.ts";
import { pairsResponder } from "./pairs.ts";
import { proseResponder } from "./prose.ts";
import type { Claim, MakeResponder } from "./responder.ts";
import { rubricResponder } from "./rubric.ts";
import { slotsResponder } from "./slots.ts";
import { toolsResponder } from "./tools.ts";

/**
 * The first responder that claims a request answers it. So: those with samples before the generic one, whole
 * conversations before single texts, and judges before all whose samples they may be shown.
 */
const makers: readonly MakeResponder[] = [
  stagesResponder,
  pairsResponder,
  judgesResponder,
  memoryResponder,
  rubricResponder,
  toolsResponder,
  slotsResponder,
  extractionResponder,
  structuredResponder,
];

/** Finds the responder of a request, given the datasets; unclaimed requests are answered in prose. */
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
