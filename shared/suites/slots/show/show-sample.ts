import type {
  FieldsBlock,
  ReportBlock,
  TableBlock,
  TextBlock,
  Tone,
} from "../../../contracts/report.ts";
import type { SampleToShow } from "../../../contracts/suite.ts";
import { judgeName, unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import { asFolded } from "../../../measures/report/charts/blocks.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import { foundMark, passagesIn } from "../../../measures/report/show/passages.ts";
import {
  cutPlace,
  type Mark,
  shortText,
  shownJson,
  shownTable,
  shownText,
} from "../../../measures/report/show/shown-text.ts";
import type { SlotsSample } from "../sample.ts";
import type { SlotsDetail } from "../score/score.ts";

type Slot = SlotsDetail["fields"][number];

/** Characters shown of a session; most sessions are shorter. */
const mostSession = 1_800;
/** Characters shown of an unreadable output, whose first lines usually show the reason. */
const mostOutput = 1_000;
/** Maximum slots shown in a report and on a sample's own page, and characters of a value. */
const mostSlots = 16;
const mostSlotsOfWhole = 1_000;
const mostValue = 120;

/** Outcome of a slot, worst last: if there are too many, right ones are left out first. */
const verdicts: Readonly<Record<Slot["outcome"], readonly [verdict: string, tone: Tone]>> = {
  exact: ["exact value", "right"],
  other: ["other value", "other"],
  missed: ["missed", "missed"],
  extra: ["extra", "extra"],
};

/**
 * A session and its stored slots: the conversation with stored values marked, expected slots next to stored ones,
 * the output if it could not be read directly, and judgments. Without a detail the expected slots and the unchanged
 * output. Never throws. Texts are cut.
 * @example showSlots({ sample, answer, score })[0]?.title // "Session 1 of ada"
 */
export function showSlots({
  sample,
  answer,
  score: { detail },
  isWhole = false,
}: SampleToShow<SlotsSample, SlotsDetail>): ReportBlock[] {
  const session = sessionText(sample, detail?.fields ?? []);
  if (detail === null) {
    return [
      session,
      shownJson("Expected slots", sample.expected),
      ...answerNotes(answer),
      ...outputText("Output", answer.output),
    ];
  }
  if (isWhole) {
    const slots = slotFields(detail, mostSlotsOfWhole, true);
    return [...answerNotes(answer), slots, session, ...slotJudgments(detail)];
  }
  return [
    session,
    ...answerNotes(answer),
    slotFields(detail),
    ...(detail.parse === "clean" ? [] : asFolded(outputText(outputTitle(detail), answer.output))),
    ...slotJudgments(detail),
  ];
}

function sessionText({ user, session, turns }: SlotsSample, slots: readonly Slot[]): TextBlock {
  const text = turns.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const marks = marksIn(text.slice(0, cutPlace(text, mostSession)), slots);
  return shownText(`Session ${session} of ${user}`, text, { marks, most: mostSession });
}

/** Stored values; for missed slots the expected ones. */
function marksIn(text: string, slots: readonly Slot[]): Mark[] {
  const find = passagesIn(text);
  return slots.flatMap(({ outcome, expected, predicted }) => {
    const [verdict, tone] = verdicts[outcome];
    const values = outcome === "missed" ? expected : predicted;
    return values.flatMap((value) =>
      find(value).map((place) => foundMark(text, place, [value], { tone, label: verdict })),
    );
  });
}

function slotFields(
  { fields, hiddenSlots }: SlotsDetail,
  most = mostSlots,
  errorsFirst = fields.length > most,
): FieldsBlock {
  // The sort is stable: slots of a kind stay in their order.
  const shown = errorsFirst
    ? [...fields].sort((a, b) => Number(a.outcome === "exact") - Number(b.outcome === "exact"))
    : fields;
  return {
    kind: "fields",
    title: "Expected and stored slots",
    rows: shown.slice(0, most).map(({ topic, field, outcome, expected, predicted, judged }) => {
      const [verdict, tone] = verdicts[outcome];
      const value = judged?.value ?? null;
      return {
        path: `${topic}.${field}`,
        expected: valuesText(expected),
        answer: valuesText(predicted),
        verdict,
        tone,
        note: value === null || outcome === "missed" ? null : `judged ${value.toFixed(2)}`,
      };
    }),
    left: Math.max(0, fields.length - most) + hiddenSlots,
  };
}

function valuesText(values: readonly string[]): string | null {
  return values.length === 0 ? null : shortText(values.join("; "), mostValue);
}

const outputTitle = ({ parse }: SlotsDetail): string =>
  parse === "recovered"
    ? "Output from which slots were recovered"
    : "Output that could not be read";

function outputText(title: string, output: string | null): TextBlock[] {
  if (output === null || output.trim() === "") return [];
  return [shownText(title, output, { most: mostOutput, isCode: true })];
}

/**
 * The judgments of the stored slots of a session, or why one is missing; empty without judges.
 * @example slotJudgments(detail)[0]?.title // "Judgments"
 */
function slotJudgments({ fields }: Pick<SlotsDetail, "fields">): ReportBlock[] {
  const rows = fields.flatMap(({ topic, field, judged }): TableBlock["rows"] => {
    if (judged === undefined) return [];
    const slot = `${topic}.${field}`;
    if (judged.judges.length === 0) {
      const reason = judged.unjudged;
      return reason === null
        ? []
        : [{ slot, judge: null, value: null, said: unjudgedText[reason] }];
    }
    return judged.judges.map(({ judge, value, judgment, unjudged, message }) => ({
      slot,
      judge: judgeName(judge),
      value,
      said:
        unjudged === null
          ? (judgment?.reasoning ?? "")
          : `${unjudgedText[unjudged]}${message && `: ${message}`}`,
    }));
  });
  return shownTable(
    "Judgments",
    [
      ["slot", "Slot", "text"],
      ["judge", "Judge", "text"],
      ["value", "Value", "score"],
      ["said", "Reasoning", "text"],
    ],
    rows,
  );
}
