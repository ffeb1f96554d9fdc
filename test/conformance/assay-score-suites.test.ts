import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Estimate } from "../../shared/contracts/metric.ts";
import type { MemoryBreakdown } from "../../shared/suites/memory/sum/breakdown.ts";
import type { SlotsBreakdown } from "../../shared/suites/slots/sum/breakdown.ts";
import { assay } from "../cli/support/assay.ts";
import { folderWith } from "../cli/support/folder-with.ts";

const linesOf = (name: string) =>
  readFileSync(new URL(`cases/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");

/** The summary of `assay score` for samples and answers. */
async function summaryOf<Breakdown>(suite: string, samples: object[], answers: object[]) {
  const folder = folderWith({ "samples.jsonl": samples, "answers.jsonl": answers });
  const files = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl"];
  const { code, stdout, stderr } = await assay(folder.path, ["score", suite, "--json", ...files]);
  folder.dispose();
  expect([code, stderr.replace(/.*warning.*\n/gi, "")]).toEqual([0, ""]);
  return JSON.parse(stdout) as {
    headline: string;
    metrics: Record<string, Estimate>;
    breakdown: Breakdown;
  };
}

/** Samples of one source have no interval. That saves most of the time, and the tests need no intervals. */
const oneSource = { tags: { cluster: "one" } };

const close = (figures: object) =>
  Object.fromEntries(
    Object.entries(figures).map(([id, value]) => [id, expect.closeTo(value as number, 9)]),
  );

test.each(linesOf("slots.jsonl").map((line, i) => [i + 1, JSON.parse(line)] as const))(
  "assay score slots gives the metrics of worked case %d",
  async (_, { sessions, metrics }) => {
    const { topics, tp: __, fp: ___, fn: ____, ...figures } = metrics;
    const samples = sessions.map(({ expected }: { expected: object }, i: number) => ({
      id: `s${i}`,
      user: "u",
      session: i + 1,
      expected,
      topics: { any: ["field"] },
      turns: [{ role: "user", content: "hello" }],
    }));
    const answers = sessions.map(({ predicted }: { predicted: object }, i: number) => ({
      id: `s${i}`,
      output: JSON.stringify(predicted),
    }));
    const summary = await summaryOf<SlotsBreakdown>("slots", samples, answers);
    const values = Object.entries(summary.metrics).map(([id, { value }]) => [id, value]);
    expect(Object.fromEntries(values)).toMatchObject(close(figures));
    for (const { name, figures: topicFigures } of summary.breakdown.topics) {
      const found = Object.entries(topicFigures).map(([id, { value }]) => [id, value]);
      expect(Object.fromEntries(found), name).toMatchObject(close(topics[name] ?? {}));
    }
    expect(summary.breakdown.topics.map(({ name }) => name).sort()).toEqual(
      Object.keys(topics).sort(),
    );
  },
);

test.each(linesOf("quality.jsonl").map((line, i) => [i + 1, JSON.parse(line)] as const))(
  "assay score quality gives the scores of worked case %d",
  async (_, { prompt, response, scores }) => {
    const { metrics } = await summaryOf(
      "quality",
      [{ id: "a", prompt }],
      [{ id: "a", output: response }],
    );
    const values = Object.entries(metrics).map(([id, { value }]) => [id, value]);
    expect(Object.fromEntries(values)).toMatchObject(close(scores));
  },
);

interface ToolsCase {
  samples: {
    difficulty: string;
    expected_calls: { name: string }[];
    calls: { name: string }[];
    latencyMs: number;
    source: string;
    score: object;
  }[];
  summary: { total: number; levels: Record<string, Record<string, number>> };
}

test.each(linesOf("tools.jsonl").map((line, i) => [i + 1, JSON.parse(line) as ToolsCase] as const))(
  "assay score tools gives the metrics of worked case %d",
  async (_, { samples, summary }) => {
    const rows = samples.map(({ difficulty, expected_calls, calls }, i) => ({
      id: `s${i}`,
      difficulty,
      expected_calls,
      ...oneSource,
      messages: [{ role: "user", content: "hello" }],
      tools: [...new Set([...expected_calls, ...calls].map(({ name }) => name))].map((name) => ({
        type: "function",
        function: { name, parameters: {} },
      })),
    }));
    const answers = samples.map(({ calls, latencyMs, source }, i) => ({
      id: `s${i}`,
      toolCalls: calls,
      latencyMs,
      source,
    }));
    const { metrics } = await summaryOf("tools", rows, answers);
    expect(metrics["total"]?.value).toBeCloseTo(summary.total, 9);
    for (const [level, figures] of Object.entries(summary.levels)) {
      const value = (name: string) => metrics[`${level}${name}`]?.value;
      expect({
        avgF1: value("F1"),
        avgTime: value("Time"),
        timeScore: value("TimeScore"),
        onDeviceRatio: value("OnDevice"),
        levelScore: value("Score"),
      }).toEqual(close(figures));
    }
  },
);

interface MemoryCase {
  required: string[];
  forbidden: string[];
  cited: string[];
  keys: Record<"tp" | "fp" | "fn" | "precision" | "recall" | "f1", number>;
  claims: string[];
  grounded: Record<"claims" | "groundedness" | "hallucinationRate", number>;
  values: Record<string, number | null>;
  mcs: number | null;
}

/** By metric: a judgment whose fields give the value, with all required fields. */
const judgmentOf: Record<string, (value: number, one: MemoryCase) => object> = {
  memory_utilization: (_, { cited }) => ({ cited_keys: cited }),
  groundedness: (_, { claims }) => ({ claims: claims.map((source) => ({ text: "", source })) }),
  logical_consistency: (consistency_score) => ({ consistency_score }),
  conversational_continuity: (continuity_score) => ({ continuity_score }),
  relevance: (relevance) => ({ relevance }),
  empathy: (empathy_score) => ({ empathy_score, warmth_level: "low", validation_present: false }),
};

test.each(
  linesOf("memory.jsonl").map((line, i) => [i + 1, JSON.parse(line) as MemoryCase] as const),
)("assay score memory gives the metrics of worked case %d", async (_, one) => {
  const given = Object.entries(one.values).flatMap(([metric, value]) => {
    if (value === null) return [];
    const judgment = judgmentOf[metric] ?? (() => ({ [`${metric}_score`]: value }));
    return [[metric, judgment(value, one)] as const];
  });
  const { required: required_keys, forbidden: forbidden_keys } = one;
  const { metrics, breakdown } = await summaryOf<MemoryBreakdown>(
    "memory",
    [{ id: "a", query: "Hello?", memory: {}, required_keys, forbidden_keys }],
    [{ id: "a", output: "Hello.", judgments: Object.fromEntries(given) }],
  );
  const found = (id: string) => metrics[id]?.value;
  if (one.mcs === null) expect(found("mcs")).toBeNull();
  else expect(found("mcs")).toBeCloseTo(one.mcs, 9);
  if (one.values["memory_utilization"] !== null) {
    const { f1, precision, recall, ...counts } = one.keys;
    expect({ f1: found("memory_utilization"), precision: found("memory_precision") }).toEqual(
      close({ f1, precision }),
    );
    expect(found("memory_recall")).toBeCloseTo(recall, 9);
    expect(breakdown.keys).toEqual(counts);
  }
  if (one.values["groundedness"] !== null) {
    const { claims, ...figures } = one.grounded;
    expect({
      groundedness: found("groundedness"),
      hallucinationRate: found("hallucination_rate"),
    }).toEqual(close(figures));
    expect(breakdown.claims.claims).toBe(claims);
  }
});

test.each([
  ["avgF1", "a plain endpoint", ["cloud", "cloud (fallback)"]],
  ["avgF1", "the device alone", ["on-device", "on-device"]],
  ["total", "device and cloud", ["on-device", "cloud"]],
])(
  "assay score tools and assay compare rank by %s for answers of %s",
  async (headline, _, sources) => {
    const call = { name: "ping", arguments: { n: 1 } };
    const rows = sources.map((__, i) => ({
      id: `t${i}`,
      difficulty: "easy",
      messages: [{ role: "user", content: "Ping." }],
      tools: [{ type: "function", function: { name: "ping", parameters: { type: "object" } } }],
      expected_calls: [call],
    }));
    const answers = sources.map((source, i) => ({ id: `t${i}`, toolCalls: [call], source }));
    expect((await summaryOf("tools", rows, answers)).headline).toBe(headline);
    const files = { "samples.jsonl": rows, "a.jsonl": answers, "b.jsonl": answers };
    const folder = folderWith(files);
    const named = ["--dataset", "samples.jsonl", "--answers", "a.jsonl", "--answers", "b.jsonl"];
    const { stdout } = await assay(folder.path, ["compare", "tools", "--json", ...named]);
    folder.dispose();
    expect(JSON.parse(stdout).metrics[0].metric).toBe(headline);
  },
);
