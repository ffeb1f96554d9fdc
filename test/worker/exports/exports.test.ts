import { describe, expect, it } from "vitest";
import type { Aggregates } from "../../../shared/contracts/boards/aggregate-row.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import { scoredRunSchema } from "../../../shared/contracts/boards/scored-run.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { exportedRun, ids } from "../support/exported-run.ts";

/** Records of CSV without line breaks in cells. */
function csvOf(text: string): Record<string, string>[] {
  const cellsOf = (line: string) =>
    [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gy)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    );
  const [head = [], ...records] = text.trimEnd().split("\r\n").map(cellsOf);
  return records.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])));
}

const files = [
  ["samples.json", "application/json"],
  ["samples.jsonl", "application/x-ndjson"],
  ["samples.csv", "text/csv"],
  ["fields.json", "application/json"],
  ["fields.jsonl", "application/x-ndjson"],
  ["fields.csv", "text/csv"],
  ["aggregates.json", "application/json"],
  ["aggregates.jsonl", "application/x-ndjson"],
  ["aggregates.csv", "text/csv"],
  ["scores.json", "application/json"],
  ["report.md", "text/markdown"],
  ["every-eval-ever.json", "application/json"],
  ["every-eval-ever.jsonl", "application/x-ndjson"],
] as const;

describe("GET /v1/runs/{id}/<file>", () => {
  it("is a download with an ETag, and 404 for an unknown run", async () => {
    const { run, get } = await exportedRun(3);
    for (const [file, type] of files) {
      const response = await get(`/v1/runs/${run}/${file}`);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      const [name, extension] = file.split(".");
      expect(response.headers.get("content-disposition")).toBe(
        `attachment; filename="assay-${run}-${name}.${extension}"`,
      );
      expect(await response.text()).not.toBe("");
      const tag = response.headers.get("etag") ?? "";
      const again = await get(`/v1/runs/${run}/${file}`, { headers: { "if-none-match": tag } });
      expect([file, again.status]).toEqual([file, 304]);
      expect((await get(`/v1/runs/none/${file}`)).status).toBe(404);
    }
  });

  it("has the scores by sample of a finished run, for baselines", async () => {
    const { run, get } = await exportedRun(12);
    const scored = scoredRunSchema.parse(await (await get(`/v1/runs/${run}/scores.json`)).json());
    const whole = await (await get(`/v1/runs/${run}`)).json<Run>();
    expect(scored.run).toMatchObject({
      id: run,
      dataset: whole.dataset,
      scoringVersion: whole.scoringVersion,
    });
    expect(Object.keys(scored.run)).not.toContain("metrics");
    expect(scored.scores.ids).toEqual(ids(12));
    const { of } = scored.scores.values[whole.headline]!;
    const mean = of.reduce<number>((sum, one) => sum + one!, 0) / of.length;
    expect(mean).toBeCloseTo(whole.metrics![whole.headline]!.value!, 12);
    const active = await exportedRun(3, { deliver: false });
    const refused = await active.get(`/v1/runs/${active.run}/scores.json`);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining("queued"),
    ]);
  });

  it("has the same rows as JSON, JSON Lines and CSV, each sample once and in order", async () => {
    const { run, get } = await exportedRun(230);
    const textOf = async (file: string) => (await get(`/v1/runs/${run}/${file}`)).text();
    for (const what of ["samples", "fields"]) {
      const lines = jsonLines(await textOf(`${what}.jsonl`));
      expect(lines.map(({ id }) => id)).toEqual(ids(230));
      expect(JSON.parse(await textOf(`${what}.json`))).toEqual(lines);
      expect(csvOf(await textOf(`${what}.csv`)).map(({ id }) => id)).toEqual(ids(230));
    }
    expect(JSON.parse(await textOf("fields.json"))[7]).toEqual({
      id: "s7",
      repeat: 0,
      said: "AGAIN: WORD 7",
    });
    expect(csvOf(await textOf("samples.csv"))[7]).toMatchObject({
      id: "s7",
      repeat: "0",
      passed: "1",
    });
    expect(jsonLines(await textOf("every-eval-ever.jsonl")).map((one) => one.sample_id)).toEqual(
      ids(230),
    );
  });

  it("gives metrics with their catalogue entries, as rows and with the run", async () => {
    const { run, get } = await exportedRun(4);
    const whole = await (await get(`/v1/runs/${run}/aggregates.json`)).json<Aggregates>();
    const lines = jsonLines(await (await get(`/v1/runs/${run}/aggregates.jsonl`)).text());
    expect(whole.aggregates).toEqual(lines);
    expect(whole.run).toEqual(await (await get(`/v1/runs/${run}`)).json());
    expect(lines[0]).toMatchObject({
      kind: "metric",
      id: "passed",
      label: "Passed on",
      value: 1,
      n: 4,
      coverage: 1,
      unit: "ratio",
      better: "higher",
      low: null,
      high: null,
      definition: "Share of samples whose second answer is the expected one.",
    });
    const [record] = csvOf(await (await get(`/v1/runs/${run}/aggregates.csv`)).text());
    expect(record).toMatchObject({ id: "passed", value: "1", low: "", unit: "ratio" });
  });

  it("shows the state of a run that has not finished", async () => {
    const { run, get } = await exportedRun(2, { deliver: false });
    for (const file of ["aggregates.json", "aggregates.csv", "every-eval-ever.json"]) {
      const response = await get(`/v1/runs/${run}/${file}`);
      expect([file, response.status]).toEqual([file, 409]);
      expect(await response.text()).toMatch(/is (queued|running); its figures are computed/);
    }
    expect(await (await get(`/v1/runs/${run}/report.md`)).text()).toMatch(
      /> The run is (queued|running): it has no scores\./,
    );
    expect(await (await get(`/v1/runs/${run}/samples.json`)).json()).toEqual([]);
    expect(await (await get(`/v1/runs/${run}/fields.csv`)).text()).toBe("id,repeat,said\r\n");
  });

  it("keeps the data of rows after raw answers were deleted, and answers 410 for the rest", async () => {
    const { platform, run, get } = await exportedRun(2);
    await platform.cleanup.markAnswersRemoved(run, platform.now());
    for (const file of ["fields.csv", "every-eval-ever.jsonl"]) {
      expect([file, (await get(`/v1/runs/${run}/${file}`)).status]).toEqual([file, 410]);
    }
    const [record] = csvOf(await (await get(`/v1/runs/${run}/samples.csv`)).text());
    expect(record).toMatchObject({ id: "s0", score: "1" });
    expect(record).not.toHaveProperty("passed");
    expect((await get(`/v1/runs/${run}/aggregates.csv`)).status).toBe(200);
  });
});

describe("GET /v1/leaderboard.csv", () => {
  it("agrees with the board's JSON in every common value", async () => {
    const { dataset, get } = await exportedRun(4, { name: "-2+3" });
    const query = `suite=relay&dataset=${dataset}`;
    const board = await (await get(`/v1/leaderboard?${query}`)).json<Leaderboard>();
    const [record] = csvOf(await (await get(`/v1/leaderboard.csv?${query}`)).text());
    const [entry] = board.entries;
    const { model, provenance, rankInterval, headline, metrics, attempts, ...flat } = entry!;
    const { total, ...counts } = attempts;
    const counted = Object.entries(counts).map(([part, count]) => [
      `attempts${part.slice(0, 1).toUpperCase()}${part.slice(1)}`,
      count,
    ]);
    const { dataset: of, judging, canaries, tests, entries, simulated, id, ...rest } = board;
    const { listed, nextCursor, bridges, judgeWarnings, ...about } = rest;
    const expected = {
      ...about,
      dataset: of.name,
      datasetVersion: of.version,
      samples: of.samples,
      board: id,
      ...flat,
      attempts: total,
      ...Object.fromEntries(counted),
      rankLow: rankInterval?.[0],
      rankHigh: rankInterval?.[1],
      model: model.slug,
      url: model.url,
      license: model.license,
      parameters: model.parameters,
      quantization: model.quantization,
      simulated: model.simulated,
      provenance: provenance.kind,
      runner: null,
      endpointHost: provenance.endpointHost,
      cloudHost: null,
      passed: headline.value,
      passedLow: null,
      passedHigh: null,
      passedGrade: null,
      passedN: headline.n,
      passedCoverage: headline.coverage,
      judges: null,
      hiddenSamples: false,
      model_id: model.asked?.join("; "),
      served_model_ids: "",
      name: "'-2+3",
    };
    const texts = Object.entries(expected).map(([name, value]) => [name, `${value ?? ""}`]);
    expect(record).toEqual(Object.fromEntries(texts));
    expect(Object.keys(metrics)).toEqual(["passed"]);
    expect(record).toMatchObject({ concurrency: expect.stringMatching(/^\d+$/) });
  });
});
