import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readYamlFile } from "../../cli/files/yaml-file.ts";
import { root } from "../../cli/local/root.ts";
import { httpTarget } from "../../cli/run/programs/http-target.ts";
import { ProgramPool } from "../../cli/run/programs/program-pool.ts";
import { httpTemplateSchema } from "../../shared/contracts/submissions/http-template.ts";
import { fakeService } from "../cli/support/fake-service.ts";

const folder = join(root, "examples/program");
const signal = new AbortController().signal;
const line = {
  messages: [{ role: "user", content: "Extract." }],
  schema: { type: "object" },
  input: "text",
};

let model: Awaited<ReturnType<typeof fakeService>>;
/** Answers without JSON first, then with JSON when asked again. */
beforeAll(async () => {
  model = await fakeService(({ body }) => {
    const { messages } = body as { messages: { content: string }[] };
    if (messages[0]?.content === "fail") return { status: 500 };
    const content = messages.length > 1 ? '{"a": 1}' : "Sure!";
    const usage = { prompt_tokens: 10, completion_tokens: 2 };
    return { body: { choices: [{ message: { content } }], usage } };
  });
});
afterAll(async () => model.dispose());

const hasPython = spawnSync("python3", ["--version"]).status === 0;

function poolOf(command: string) {
  const env = { ...process.env, MODEL_URL: model.url, PYTHONUNBUFFERED: "1" };
  const spec = { command, folder, env, secrets: [] };
  return new ProgramPool(spec, { processes: 1, linesEach: 1 });
}

describe("examples/program", () => {
  it.runIf(hasPython)("answer.py asks again for JSON and reports a failure", async () => {
    const pool = poolOf("python3 answer.py");
    const { answer } = await pool.ask(line, signal);
    expect(answer).toMatchObject({
      text: '{"a": 1}',
      usage: { input_tokens: 20, output_tokens: 4 },
    });
    const failing = { ...line, messages: [{ role: "user", content: "fail" }] };
    const { answer: failed } = await pool.ask(failing, signal);
    expect(failed).toMatchObject({ error: expect.stringContaining("500") });
    await pool.stop();
  });

  it("answer.mjs answers and reports a failure", async () => {
    const pool = poolOf(`exec "${process.execPath}" answer.mjs`);
    const { answer } = await pool.ask(line, signal);
    expect(answer).toMatchObject({ text: "Sure!", usage: { input_tokens: 10, output_tokens: 2 } });
    const failing = { ...line, messages: [{ role: "user", content: "fail" }] };
    const { answer: failed } = await pool.ask(failing, signal);
    expect(failed).toMatchObject({ error: "the model answered with 500" });
    await pool.stop();
  });

  it("pipeline.yaml calls an HTTP interface", async () => {
    const given = readYamlFile(join(folder, "pipeline.yaml"), "");
    const template = { ...httpTemplateSchema.parse(given), url: model.url };
    const target = httpTarget("pipeline", template, { PIPELINE_KEY: "any" });
    expect((await target.ask(line, signal)).answer).toEqual({
      text: "Sure!",
      usage: { input_tokens: 10, output_tokens: 2 },
    });
  });
});
