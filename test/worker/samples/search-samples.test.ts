import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MOST_SEARCHED } from "../../../api/samples/search-samples.ts";
import type { SamplePage } from "../../../shared/contracts/run.ts";
import { type SampleReport, sampleReportSchema } from "../../../shared/contracts/run-report.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { aDataset } from "../support/a-dataset.ts";
import { problemOf, serve } from "../support/client.ts";
import { answering, harness, submitRun } from "../support/harness.ts";

const expected = { vendor: "Brot", due_date: "2026-03-01", items: [{ price: 4 }] };
const schema = {
  type: "object",
  properties: {
    vendor: { type: "string" },
    due_date: { type: "string" },
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
  required: ["vendor"],
  additionalProperties: false,
};

/** The model's answer to each sample. */
const answers = {
  right: expected,
  late: { ...expected, due_date: "2031-12-24" },
  dear: { ...expected, items: [{ price: 400 }] },
  both: { ...expected, due_date: "2031-12-24", items: [{ price: 400 }] },
  bare: { vendor: "Brot" },
  extra: { ...expected, summary: "a bill" },
  prose: "Sorry, no.",
  lost: null,
} as const;
const ids = Object.keys(answers) as (keyof typeof answers)[];

async function finishedRun() {
  const { platform, deliverAll } = harness({
    suites: { all: [extraction], byId: (id) => (id === "extraction" ? extraction : undefined) },
    ask: answering(({ messages }) => {
      const id = ids.find((one) => messages.at(-1)?.content.includes(`Bill ${one}:`)) ?? "lost";
      const answer = answers[id];
      if (answer === null) {
        return { output: null, error: { class: "timeout", message: "late" } };
      }
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return { output: text, thoughts: `I think of ${id}.`, structuredMode: "none" };
    }),
  });
  const rows = ids.map((id, i) => ({
    id,
    text: `Bill ${id}: Brot, 4 EUR, due 1 March 2026`,
    schema,
    expected_output: expected,
    tags: { half: i < 4 ? "first:half" : "second" },
  }));
  const dataset = await aDataset(platform, extraction, rows);
  const run = await submitRun(platform, dataset, { suite: "extraction" });
  await deliverAll();
  return { run, get: serve(platform).get };
}

let made: Awaited<ReturnType<typeof finishedRun>>;
beforeAll(async () => {
  made = await finishedRun();
});

const path = () => `/v1/runs/${made.run}/samples`;
const pageOf = async (query: string) =>
  (await (await made.get(`${path()}?${query}`)).json()) as SamplePage;
const found = async (query: string) => (await pageOf(query)).samples.map(({ id }) => id);

describe("GET /v1/runs/{id}/samples", () => {
  it.each([
    ["path=*date*&verdict=incorrect", ["late", "both"]],
    ["path=*DATE*&verdict=incorrect&order=latest", ["late", "both"]],
    ["path=items[].price&verdict=wrong", ["dear", "both", "bare", "extra", "prose", "lost"]],
    ["path=items[].price&verdict=incorrect", ["dear", "both"]],
    ["path=price&verdict=incorrect", []],
    ["verdict=missed", ["bare"]],
    ["verdict=off_schema", ["extra"]],
    ["verdict=not_json", ["prose"]],
    ["verdict=invalid_output", ["extra", "prose"]],
    ["verdict=failed_request", ["lost"]],
    ["pattern=missing_value", ["bare"]],
    ["pattern=wrongValue&path=due_date", ["late", "both"]],
    ["error=timeout", ["lost"]],
    ["covered=false", ["lost"]],
    ["text=SORRY", ["prose"]],
    ["text=bill+dear", ["dear"]],
    ["text=nowhere", []],
    ["tag=half:first:half", ["right", "late", "dear", "both"]],
    ["tag=half:second&verdict=wrong", ["bare", "extra", "prose", "lost"]],
    ["tag=half", ids],
    ["tag=other:x", []],
    ["min=1", ["right"]],
    ["max=0", ["extra", "prose", "lost"]],
    ["min=0.1&max=0.99&verdict=incorrect", ["late", "dear", "both"]],
    ["id=late", ["late"]],
    ["id=none", []],
    ["judge=m", []],
  ])("finds by %s", async (query, sampleIds) => {
    const listed = await found(query);
    expect([...listed].sort()).toEqual([...sampleIds].sort());
  });

  it("goes from page to page, forwards and backwards, with any filter", async () => {
    const all = await found("verdict=wrong&order=score");
    const [first, second] = [
      await pageOf("verdict=wrong&order=score&limit=2"),
      await pageOf("order=score&limit=1&verdict=wrong&cursor=1"),
    ];
    expect(first.samples.map(({ id }) => id)).toEqual(all.slice(0, 2));
    expect(first.nextCursor).toBe(`${first.samples[1]?.seq}`);
    const at = all.indexOf("late");
    expect(second.samples.map(({ id }) => id)).toEqual(all.slice(at + 1, at + 2));
    const before = await found("order=score&limit=1&verdict=wrong&cursor=1&direction=before");
    expect(before).toEqual(all.slice(at - 1, at));
    expect(await found("order=seq&cursor=2&direction=before")).toEqual(["late", "right"]);
    expect(await found("order=seq&cursor=0&direction=before")).toEqual([]);
  });

  it("shows validity, exact match, wrong fields and the first error of each answer with look=true", async () => {
    const { samples, searched } = await pageOf("look=true");
    expect(searched).toBeUndefined();
    const looks = samples.map(({ id, look }) => [
      id,
      look?.values["validity"],
      look?.values["exactMatch"],
      look?.wrong,
      look?.firstError,
    ]);
    expect(looks).toEqual([
      ["right", 1, 1, 0, null],
      ["late", 1, 0, 1, "`due_date` incorrect: hallucinated value"],
      ["dear", 1, 0, 1, "`items[].price` incorrect: hallucinated value"],
      ["both", 1, 0, 2, "`due_date` incorrect: hallucinated value"],
      ["bare", 1, 0, 2, "`due_date` missed: missing value"],
      ["extra", 0, 0, 4, "`summary` is not allowed by the schema"],
      ["prose", 0, 0, 3, "the answer is not JSON"],
      ["lost", 0, 0, 3, "the request failed: timeout"],
    ]);
    expect((await pageOf("limit=1")).samples[0]).not.toHaveProperty("look");
  });

  it.each(["path=", `path=${"x".repeat(501)}`, "min=low", "direction=up", "order=best"])(
    "refuses %s",
    async (query) => {
      expect((await made.get(`${path()}?${query}`)).status).toBe(422);
    },
  );

  it.each([
    ["verdict=incorect", "verdict", '"incorect" is not one of wrong, exact, '],
    ["pattern=toolate", "pattern", '"toolate" is not one of '],
    ["min=1.5", "min", "1.5: scores of samples are 0 to 1"],
    ["max=-0.1", "max", "-0.1: scores of samples are 0 to 1"],
    ["min=0.8&max=0.2", "min", "0.8 is above max 0.2"],
  ])("refuses %s with the reason why it finds nothing", async (query, parameter, detail) => {
    const refused = await made.get(`${path()}?${query}`);
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors).toEqual([
      { parameter, detail: expect.stringContaining(detail) },
    ]);
  });

  it("refuses sorting and some filters for runs of more than 20,000 samples, but searches them in order", async () => {
    const set = (total: number) =>
      env.DB.prepare("UPDATE runs SET total = ? WHERE id = ?").bind(total, made.run).run();
    await set(20_001);
    const refused = await made.get(`${path()}?tag=half&min=0.5&order=latest`);
    expect(refused.status).toBe(422);
    const { errors = [] } = await problemOf(refused);
    const named = errors.map((error) => ("parameter" in error ? error.parameter : ""));
    expect(named).toEqual(["order", "min", "tag"]);
    expect(await found("verdict=off_schema")).toEqual(["extra"]);
    await set(ids.length);
    const { searched } = await pageOf("verdict=off_schema");
    expect(searched).toBe(ids.length);
    expect(MOST_SEARCHED).toBeGreaterThan(ids.length);
  });
});

describe("GET /v1/runs/{id}/samples/{sampleId}/report", () => {
  const reportOf = async (id: string): Promise<SampleReport> => {
    const value = await (await made.get(`${path()}/${id}/report`)).json();
    return sampleReportSchema.parse(value);
  };

  it("has errors first, then all fields, and the texts sent and received", async () => {
    const { sample, blocks, texts = [] } = await reportOf("late");
    expect(sample.look?.wrong).toBe(1);
    const fields = blocks.flatMap((block) => (block.kind === "fields" ? [block] : []));
    expect(fields.map(({ title, rows, folded }) => [title, rows.length, folded])).toEqual([
      ["Errors: 1 of 3 fields", 1, undefined],
      ["Field by field", 3, true],
    ]);
    const shown = texts.map((block) => (block.kind === "text" ? [block.title, block.text] : []));
    expect(shown.map(([title]) => title)).toEqual([
      "Raw answer",
      "Thoughts",
      "Prompt",
      "Schema",
      "Request",
    ]);
    const textOf = (title: string) => shown.find(([one]) => one === title)?.[1] ?? "";
    expect(textOf("Raw answer")).toBe(JSON.stringify(answers.late));
    expect(textOf("Thoughts")).toBe("I think of late.");
    expect(textOf("Prompt")).toContain("Bill late: Brot, 4 EUR");
    expect(JSON.parse(textOf("Schema"))).toMatchObject({ required: ["vendor"] });
    expect(JSON.parse(textOf("Request"))).toMatchObject({ model: "m" });
    expect(JSON.stringify(texts)).not.toContain("sk-plain-secret");
  });

  it("explains why an output does not match its schema", async () => {
    const { sample, blocks } = await reportOf("extra");
    expect(sample.look?.fault).toBe("off_schema");
    expect(JSON.stringify(blocks)).toContain("`summary` is not allowed by the schema");
  });
});

describe("GET /v1/runs/{id}/fields.jsonl", () => {
  it("marks fields of an invalid output as invalid_output, with the salvaged verdict", async () => {
    const text = await (await made.get(`/v1/runs/${made.run}/fields.jsonl`)).text();
    const rows = jsonLines(text);
    const of = (sample: string) =>
      rows
        .filter(({ id }) => id === sample)
        .map(({ path: at, category, predictedType, salvaged }) => [
          at,
          category,
          predictedType,
          salvaged,
        ]);
    expect(of("extra")).toEqual([
      ["vendor", "invalid_output", "string", "exact"],
      ["due_date", "invalid_output", "string", "exact"],
      ["items[0].price", "invalid_output", "number", "exact"],
      ["summary", "invalid_output", "string", "spurious"],
    ]);
    expect(of("prose").map(([, ...rest]) => rest)).toEqual(
      Array.from({ length: 3 }, () => ["invalid_output", null, null]),
    );
    expect(new Set(of("lost").map(([, category]) => category))).toEqual(
      new Set(["failed_request"]),
    );
  });
});
