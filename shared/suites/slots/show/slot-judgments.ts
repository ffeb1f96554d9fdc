import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { judgeName, whyUnjudged } from "../../../measures/judging/judge-words.ts";
import { shownTable } from "../../../measures/report/shown-table.ts";
import type { SlotsDetail } from "../score/score.ts";

/**
 * What each judge said of the stored slots of a session, and why one said nothing; none where nobody was to
 * judge.
 * @example slotJudgments(detail)[0]?.title // "Judgments"
 */
export function slotJudgments({ fields }: Pick<SlotsDetail, "fields">): ReportBlock[] {
  const rows = fields.flatMap(({ topic, field, judged }): TableBlock["rows"] => {
    if (judged === undefined) return [];
    const slot = `${topic}.${field}`;
    if (judged.judges.length === 0) {
      const reason = judged.unjudged;
      return reason === null ? [] : [{ slot, judge: null, value: null, said: whyUnjudged[reason] }];
    }
    return judged.judges.map(({ judge, value, judgment, unjudged, message }) => ({
      slot,
      judge: judgeName(judge),
      value,
      said:
        unjudged === null
          ? (judgment?.reasoning ?? "")
          : `${whyUnjudged[unjudged]}${message && `: ${message}`}`,
    }));
  });
  return shownTable(
    "Judgments",
    [
      ["slot", "Slot", "text"],
      ["judge", "Judge", "text"],
      ["value", "Value", "score"],
      ["said", "What it said", "text"],
    ],
    rows,
  );
}
