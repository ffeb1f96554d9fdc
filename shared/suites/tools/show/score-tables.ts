import type { Answer } from "../../../contracts/answer.ts";
import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { shownTable } from "../../../measures/report/shown-table.ts";
import type { ToolsDetail } from "../score/score.ts";
import { levelScore, timeScore } from "../score/total-score.ts";

/**
 * What a sample's score is made of, and of a hybrid target which endpoint it came from.
 * Source: docs/spec/tools.md, metrics; source and hybrid routing.
 * @example scoreTables(detail, answer)[0]?.title // "What the score is made of"
 */
export const scoreTables = (detail: ToolsDetail, answer: Pick<Answer, "hybrid">): ReportBlock[] => [
  ...scoreTable(detail),
  ...endpointTable(detail, answer),
];

/** What the sample would be worth as a level of its own, part by part. */
function scoreTable({ f1, precision, recall, slowness, ...detail }: ToolsDetail): ReportBlock[] {
  if (detail.status === "error") return [];
  const onDevice = Number(detail.onDevice);
  const nothing = { f1: 0, slowness: null, onDevice: 0 };
  const time = slowness === null ? "no latency is known" : `${slowness.toFixed(2)} of the baseline`;
  const rows: TableBlock["rows"] = [
    {
      part: "F1 of the calls",
      value: f1,
      share: levelScore({ ...nothing, f1 }),
      by: `precision ${figureText(precision, "score")}, recall ${figureText(recall, "score")}`,
    },
    {
      part: "Time score",
      value: timeScore(slowness),
      by: time,
      share: levelScore({ ...nothing, slowness }),
    },
    {
      part: "On device",
      value: onDevice,
      share: levelScore({ ...nothing, onDevice }),
      by: `source ${detail.source ?? "not said"}`,
    },
  ];
  return shownTable(
    "What the score is made of",
    [
      ["part", "Part", "text"],
      ["value", "Value", "score"],
      ["share", "Share of the score", "score"],
      ["by", "By", "text"],
    ],
    rows,
  );
}

/** Of a hybrid target: who was asked, how sure the local answer was, and which one stands. */
function endpointTable(detail: ToolsDetail, { hybrid }: Pick<Answer, "hybrid">): ReportBlock[] {
  if (!detail.hybrid || !hybrid) return [];
  const { localF1, cloudF1, confidence } = detail.hybrid;
  const { local, cloud } = hybrid;
  const rows: TableBlock["rows"] = [
    {
      endpoint: "local",
      f1: localF1,
      confidence,
      ms: local.latencyMs,
      state: stateOf(local.error, detail.onDevice),
    },
    ...(cloud === null
      ? []
      : [
          {
            endpoint: "cloud",
            f1: cloudF1,
            confidence: cloud.confidence,
            ms: cloud.latencyMs,
            state: stateOf(cloud.error, !detail.onDevice),
          },
        ]),
  ];
  return shownTable(
    "Endpoints",
    [
      ["endpoint", "Endpoint", "text"],
      ["state", "What became of it", "text"],
      ["f1", "F1", "score"],
      ["confidence", "Confidence", "score"],
      ["ms", "Latency", "ms"],
    ],
    rows,
  );
}

function stateOf(error: { class: string } | null, stands: boolean): string {
  if (error !== null) return `failed: ${error.class.replaceAll("_", " ")}`;
  return stands ? "its answer stands" : "its answer gave way";
}
