import { describe, expect, it } from "vitest";
import { filled, httpTarget, valueAt } from "../../../cli/run/programs/http-target.ts";
import { type Asked, fakeService, type Reply } from "../support/fake-service.ts";

/** A reference to an environment variable in a template. */
const variable = (name: string) => `\${${name}}`;

const signal = new AbortController().signal;
const nasty = 'She said "hi"\n\\ {{schema}}';
const line = {
  sample: "s 1",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: nasty },
  ],
  schema: { type: "object" },
  input: "in",
};

/** Calls an HTTP interface by a template; returns the request and the result. */
async function asked(template: object, reply: Reply, env: NodeJS.ProcessEnv = {}) {
  await using service = await fakeService(() => reply);
  const given = { url: `${service.url}/answer`, ...template };
  const result = await httpTarget("it", given as never, env)
    .ask(line as never, signal)
    .then(
      ({ answer }) => answer,
      (error: unknown) => error,
    );
  return { result, asked: service.asked[0] as Asked };
}

describe("httpTarget()", () => {
  it("fills values into a template as valid JSON and reads the reply by paths", async () => {
    const { result, asked: sent } = await asked(
      {
        headers: { authorization: `Bearer ${variable("K")}`, "x-kind": "a" },
        body: {
          q: "{{prompt}}",
          both: "{{system}} / {{schema}}",
          schema: "{{ schema }}",
          n: [1, "{{tools}}"],
        },
        reply: { text: "choices[0].text", usage: { input_tokens: "used.in" } },
      },
      { body: { choices: [{ text: "done" }], used: { in: 5 } } },
      { K: "sk-12345678" },
    );
    expect(sent.body).toEqual({
      q: nasty,
      both: 'Be brief. / {"type":"object"}',
      schema: { type: "object" },
      n: [1, null],
    });
    expect(sent.headers).toMatchObject({ authorization: "Bearer sk-12345678", "x-kind": "a" });
    expect(result).toEqual({ text: "done", usage: { input_tokens: 5, output_tokens: null } });
  });

  it("sends the line for programs if there is no body, and reads a program's answer or plain text", async () => {
    const { result, asked: sent } = await asked(
      {},
      { body: { text: "a", usage: { input_tokens: 1 } } },
    );
    expect(sent.body).toEqual({ id: expect.any(String), ...line });
    expect(result).toEqual({ text: "a", usage: { input_tokens: 1 } });
    expect((await asked({}, { body: "plain" })).result).toEqual({ text: "plain" });
  });

  it("fills URL-encoded values into the address", async () => {
    await using service = await fakeService(() => ({ body: { text: "a" } }));
    const template = { url: `${service.url}/a/{{sample}}?q={{system}}`, method: "GET" as const };
    await httpTarget("it", template, {}).ask(line as never, signal);
    expect(service.asked[0]?.call).toBe("GET /a/s%201?q=Be%20brief.");
  });

  it.each([
    [
      { status: 429, headers: { "retry-after": "7" }, body: "slow" },
      { status: 429, retryAfter: "7" },
    ],
    [
      { status: 400, body: "temperature sk-12345678" },
      { status: 424, message: 'it answered with status 400: "temperature …"' },
    ],
    [
      { status: 302, headers: { location: "/" } },
      { status: 424, message: expect.stringContaining("a redirect") },
    ],
    [{ body: "text" }, { status: 502, message: 'it answered with no JSON: "text"' }],
    [{ body: { c: 1 } }, { status: 502, message: expect.stringContaining("nothing at a.b") }],
  ])("reports %j", async (reply, failure) => {
    const template = { headers: { "x-key": variable("K") }, reply: { text: "a.b" } };
    expect((await asked(template, reply, { K: "sk-12345678" })).result).toMatchObject(failure);
  });

  it("reports an unreachable address and an error in the reply", async () => {
    const gone = httpTarget("it", { url: "http://127.0.0.1:9/x" }, {}).ask(line as never, signal);
    await expect(gone).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining("can't be reached"),
    });
    const { result } = await asked(
      { reply: { text: "a", error: "e.m" } },
      { body: { e: { m: "no" } } },
    );
    expect(result).toEqual({ error: "no" });
  });

  it.each(["", false, null])("treats the error %j as no error", async (error) => {
    const reply = { body: { a: "yes", error } };
    const { result } = await asked({ reply: { text: "a", error: "error" } }, reply);
    expect(result).toEqual({ text: "yes" });
  });

  it.each([
    [
      { headers: { authorization: `Bearer ${variable("NOT_SET")}` } },
      "it: the environment variable NOT_SET is not set",
    ],
    [
      { headers: { authorization: "Bearer sk-1" } },
      "it: the header authorization contains its value",
    ],
    [
      { headers: { "x-api-key": variable("ASSAY_API_KEY") } },
      "it: ASSAY_API_KEY is the key of the service",
    ],
    [{ body: { a: "{{promt}}" } }, "it: unknown {{promt}}; there is prompt, system"],
    ...["a\nb: c", "a\u0001", "a\u007f", "ключ"].map((value): [object, string] => [
      { headers: { "x-a": `k ${variable("V")}`, "x-v": value } },
      "it: the header x-v has a line break or another character",
    ]),
    [{ headers: { "x-a": variable("BROKEN") } }, "it: the header x-a has a line break or another"],
    [{ headers: { "x-a": "{{sample}}" } }, "it: the header x-a has {{…}}, which is filled in only"],
    [{ headers: { "a b": "c" } }, "it: a header has a name or value that can't be sent"],
  ])("refuses %j", (template, message) => {
    const make = () =>
      httpTarget(
        "it",
        { url: "http://a.example/", ...template },
        {
          ASSAY_API_KEY: "k",
          BROKEN: "a\r\nx-b: c",
          V: "v",
        },
      );
    expect(make).toThrow(message);
  });
});

it("filled() fills values into texts, lists and objects", () => {
  expect(filled({ a: ["{{x}}", "{{x}}{{y}}", 3] }, { x: [1], y: null })).toEqual({
    a: [[1], "[1]null", 3],
  });
});

it.each([
  ["a[0].b", 1],
  ["$.a.0.b", 1],
  ["a", [{ b: 1 }]],
  ["a[1].b", undefined],
  ["constructor", undefined],
])("valueAt() reads %s as %j", (path, value) => {
  expect(valueAt({ a: [{ b: 1 }] }, path)).toEqual(value);
});
