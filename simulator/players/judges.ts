import type { JsonObject } from "../../shared/contracts/json.ts";
import { leaningOf } from "../judging/cues.ts";
import { type FencedRequest, readFenced, readMaterial } from "../judging/material.ts";
import { rubricFor } from "../judging/rubrics.ts";
import { unknownJudgment } from "../judging/unknown-judgment.ts";
import { viewOf } from "../judging/view.ts";
import { garbleKinds } from "../mistakes/garble.ts";
import { type Play, type Player, playAnswer, textKey } from "./player.ts";

/** How requests to judges are recognised. */
const isJudge = /\bjudg(?:e|ement|ment|ing)\b/i;

/**
 * Judges answers: any model that is asked to judge fenced material by a schema. It sees the text alone, not
 * who wrote it. A request to mend a reply is the same request again.
 */
export function judgesPlayer(): Player {
  return {
    claim(request) {
      const fenced = readFenced(request);
      if (fenced === null || !isJudge.test(fenced.system)) return null;
      const { system, pieces } = fenced;
      return {
        key: textKey(JSON.stringify([system, pieces])),
        id: null,
        answer: (play) =>
          playAnswer(play, garbleKinds, () => JSON.stringify(judgmentOf(fenced, play))),
      };
    },
  };
}

function judgmentOf(fenced: FencedRequest, { self = "", draws }: Play): JsonObject {
  const view = viewOf(readMaterial(fenced.pieces));
  const known = rubricFor(fenced.schema);
  if (known !== null) return known.judge(view, leaningOf(self, known.metric, draws), draws);
  return unknownJudgment(fenced, view, leaningOf(self, fenced.system, draws), draws);
}
