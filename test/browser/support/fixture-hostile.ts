import type { Json } from "../../../shared/contracts/json.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import type { Fixture } from "./fixture.ts";
import { aBoard } from "./fixture-boards.ts";
import { aModel, aRun, listedRun } from "./fixture-runs.ts";
import { highlightsOfAnswers, pointsOfAnswers } from "./kept-answers.ts";
import { keptAnswers, scoredSummary } from "./scored-summary.ts";

/** What somebody might call a model in order to be more than a name. */
export const hostileNames = [
  `"><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  "</title></style></svg><script>alert(1)</script>",
  "]]><script>alert(1)</script>",
  "<!--<script>",
  "&lt;script&gt;alert(1)&lt;/script&gt; & &#60;b&#62;",
  "{alert(1)} $'{alert(1)} `x`",
  "\u202egnp.exe\u202c",
  "a\u200bb\u200dc",
  `a${"\u0301".repeat(119)}`,
  '=HYPERLINK("https://evil.example","x")',
  "+1",
  "-1",
  "@x",
  "\t=1+1",
];

const tag = `<script>alert("tag")</script>`;
const property = `"><img src=x onerror=alert(1)>/~0`;

/** Rows whose ids, field names, values and tags are markup. */
const rows = Array.from({ length: 12 }, (_, i) => {
  const expected: Record<string, Json> = { [property]: `${tag}${i}`, [`${tag}${i % 3}`]: [tag] };
  const properties = Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      { type: Array.isArray(value) ? "array" : "string", description: tag },
    ]),
  );
  return {
    id: `${tag}${i}`,
    text: tag,
    schema: { title: tag, type: "object", properties },
    expected_output: expected,
    tags: { [tag]: property, domain: tag },
  };
});

/** A judge that a run named, of a metric and a provider that no suite has. */
const hostileJudging = (model: string): Run["judging"] => ({
  judges: {
    [tag]: {
      routes: [{ provider: tag, model, simulated: false }],
      by: "run",
      promptHash: tag,
    },
  },
  stages: {},
});

const behaviourOf = (i: number) => ({ quality: 0.6, lostRate: 0.2, seed: i });

/** A finished run of a model with a hostile name, and with markup wherever a run has text. */
function hostileRun(suite: Suite, name: string, i: number): Run {
  const model = aModel(`mallory/m-${i}`, name, {
    url: `https://evil.example/?q="><script>alert(1)</script>&'onclick='`,
    license: name,
    parameters: name,
    quantization: name,
  });
  const behaviour = behaviourOf(i);
  return aRun(suite, `run-${i}`, model, {
    ...scoredSummary(suite, rows, `run-${i}`, behaviour),
    points: pointsOfAnswers(suite, keptAnswers(suite, rows, behaviour)),
    dataset: { name: "hostile", version: "f".repeat(64), samples: rows.length },
    provenance: { kind: "called", endpointHost: `"><script>alert("host")</script>` },
    status: "finished",
    statusReason: tag,
    notes: [name, tag],
    judging: hostileJudging(name),
    options: { systemPrompt: `</code></pre>${tag}' "` },
    progress: { total: rows.length, done: rows.length, failed: 2 },
    startedAt: "2026-11-20T09:00:01Z",
    finishedAt: "2026-11-20T09:00:43Z",
  });
}

/** The fixture with a board, a page and a report of each hostile name. */
export function withHostile(usual: Fixture, suite: Suite): Fixture {
  const hostile = hostileNames.map((name, i) => hostileRun(suite, name, i));
  const failed = aRun(suite, "run-failed-hostile", aModel("mallory/failed", tag), {
    status: "failed",
    statusReason: tag,
  });
  const board = aBoard("hostile-main", hostile, { judging: hostileJudging(property) });
  const entries = board.entries.map((entry) => ({ ...entry, unrankedReason: tag }));
  const runs = [...hostile, failed];
  const { snapshot } = usual;
  const highlights = hostile.map(({ id }, i) => [
    id,
    highlightsOfAnswers(suite, keptAnswers(suite, rows, behaviourOf(i))),
  ]);
  return {
    ...usual,
    runs: [...usual.runs, ...runs],
    highlights: { ...usual.highlights, ...Object.fromEntries(highlights) },
    snapshot: {
      ...snapshot,
      boards: [...snapshot.boards, { ...board, entries }],
      datasets: [
        ...snapshot.datasets,
        {
          suite: suite.id,
          name: "hostile",
          version: "f".repeat(64),
          samples: rows.length,
          visibility: "public" as const,
          createdAt: "2026-11-01T00:00:00Z",
        },
      ],
      runs: [...snapshot.runs, ...runs.map(listedRun)],
    },
  };
}
