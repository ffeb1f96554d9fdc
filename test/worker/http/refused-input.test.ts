import { describe, expect, it } from "vitest";
import { type Account, localAccount } from "../../../api/keys/account.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";
import { anApp } from "../support/client.ts";
import { anAccount, harness, relayDataset } from "../support/harness.ts";

function service(account: Account = localAccount) {
  const { platform, mail } = harness();
  const app = anApp(platform, async () => account);
  const post = (path: string, body: BodyInit, type = "application/json") =>
    app.request(path, {
      method: "POST",
      body,
      headers: { "content-type": type, authorization: "Bearer a-key" },
    });
  return { platform, mail, post };
}

const errorsOf = async (response: Response) =>
  (await response.json<Problem>()).errors?.map(({ pointer, line, detail }) => [
    pointer ?? line,
    detail,
  ]);

describe("an invalid submission", () => {
  const baseUrl = "https://models.example.com/v1";
  const refusedWith = async (
    models: unknown,
    account?: Account,
    more: (dataset: string) => object = () => ({}),
  ) => {
    const { platform, mail, post } = service(account);
    const dataset = await relayDataset(platform, 2);
    const body = JSON.stringify({ suite: "relay", dataset, models, ...more(dataset) });
    const response = await post("/v1/submissions", body);
    expect([response.status, mail.evaluate]).toEqual([422, []]);
    return errorsOf(response);
  };

  it("names every invalid answer", async () => {
    const answers = [
      { id: "s0", output: "A" },
      { id: "s0", output: "B" },
      { id: "s9", output: "C" },
      { id: "s1", output: "D", judgments: { empathy: { level: 5 } } },
    ];
    expect(await refusedWith([{ name: "Mine", answers }])).toEqual([
      ["/models/0/answers/1/id", '"s0" occurs more often than options.repeats allows'],
      [
        "/models/0/answers/2/id",
        expect.stringMatching(/^"s9" is not a sample of relay-\w+@\w{12}$/),
      ],
      ["/models/0/answers/3/judgments", "suite relay is not judged, and reads no judgments"],
    ]);
  });

  it("names 20 invalid answers and counts the others", async () => {
    const answers = Array.from({ length: 50 }, (_, i) => ({ id: `x${i}`, output: "A" }));
    const errors = await refusedWith([{ name: "Mine", answers }]);
    expect(errors).toHaveLength(21);
    expect(errors?.at(-1)).toEqual([
      "/models/0/answers",
      "30 more fields of its answers are invalid",
    ]);
  });

  it("names slugs that are missing, duplicate or of another account", async () => {
    const endpoint = { baseUrl, model: "m" };
    const models = [
      { name: "One", slug: "acme/one", endpoint },
      { name: "Again", slug: "acme/one", endpoint },
      { name: "Theirs", slug: "other/one", endpoint },
      { name: "***", endpoint },
    ];
    expect(await refusedWith(models, anAccount("acme"))).toEqual([
      ["/models/1/slug", 'duplicate slug "acme/one" in this submission'],
      ["/models/2/slug", '"other/one" belongs to another account; yours is "acme/…"'],
      ["/models/3/slug", 'no slug can be derived from the name "***"; give one'],
    ]);
  });

  it("is refused for an endpoint inside the deployment's own network", async () => {
    const { platform, post } = service();
    platform.settings = { ...platform.settings, allowPrivateEndpoints: false };
    const dataset = await relayDataset(platform, 1);
    const endpoint = { baseUrl: "http://169.254.169.254/v1", model: "m" };
    const models = [{ name: "Inside", endpoint }];
    const response = await post(
      "/v1/submissions",
      JSON.stringify({ suite: "relay", dataset, models }),
    );
    expect(response.status).toBe(422);
    expect((await errorsOf(response))?.[0]?.[0]).toBe("/models/0/endpoint/baseUrl");
  });
});

describe("an invalid dataset", () => {
  const row = (id: string) => JSON.stringify({ id, first: "a", expected: "B" });
  const jsonl = "application/jsonl";
  const name = () => `mine-${crypto.randomUUID().slice(0, 8)}`;
  const path = (dataset: string, more = "") => `/v1/datasets?suite=relay&name=${dataset}${more}`;

  it("is refused with line and reason of each invalid row, or stored without these", async () => {
    const { post } = service();
    const [file, dataset] = [[row("a"), "{", row("a"), '{"id": "b"}'].join("\n"), name()];
    const refused = await post(path(dataset), file, jsonl);
    expect(refused.status).toBe(422);
    expect(await errorsOf(refused)).toEqual([
      [2, expect.stringContaining("JSON")],
      [3, 'a: duplicate id "a"'],
      [4, "b: not a relay sample"],
    ]);
    const kept = await post(path(dataset, "&allowPartial=true"), file, jsonl);
    expect(kept.status).toBe(201);
    const { samples, malformed } = await kept.json<{ samples: number; malformed: unknown[] }>();
    expect([samples, malformed.length]).toEqual([1, 3]);
  });

  it("is one under another account's prefix, or one that changes the visibility", async () => {
    const { post } = service(anAccount("acme"));
    const dataset = `acme/${name()}`;
    expect((await post(path(dataset, "&visibility=public"), row("a"), jsonl)).status).toBe(201);
    const other = service(anAccount("other"));
    const foreign = await other.post(path(dataset), row("b"), jsonl);
    expect(foreign.status).toBe(422);
    expect((await foreign.json<Problem>()).errors).toEqual([
      {
        parameter: "name",
        detail:
          'names that begin with "acme/" belong to another account: yours begin with "other/"',
      },
    ]);
    const hidden = await post(path(dataset, "&visibility=unlisted"), row("a"), jsonl);
    expect(hidden.status).toBe(409);
    expect((await hidden.json<Problem>()).detail).toMatch(
      /is already public: .*name the dataset instead of its file/,
    );
    expect((await post(path(dataset), row("a"), jsonl)).status).toBe(201);
  });

  it("counts all invalid rows and names the first 500", async () => {
    const { post } = service();
    const refused = await post(path(name()), "{}\n".repeat(600), jsonl);
    const { detail, errors } = await refused.json<Problem>();
    expect(detail).toContain("600 invalid rows");
    expect(errors).toHaveLength(500);
  });

  it("is one whose body is neither JSONL nor a form with a file", async () => {
    const { post } = service();
    const type = "multipart/form-data; boundary=x";
    const form = (field: string) =>
      `--x\r\ncontent-disposition: form-data; name="${field}"; filename="a.jsonl"\r\n\r\n${row("a")}\r\n--x--\r\n`;
    expect((await post(path(name()), form("file"), type)).status).toBe(201);
    for (const [body, of] of [
      [form("upload"), type],
      ["no form", type],
      ["<a/>", "application/xml"],
    ] as const) {
      const refused = await post(path(name()), body, of);
      expect(refused.status).toBe(415);
      expect((await refused.json<Problem>()).detail).toContain("send JSONL");
    }
  });

  it("names the suites, the parameter, or the missing rows", async () => {
    const { post } = service();
    const unknown = await post("/v1/datasets?suite=poems&name=a", row("a"), jsonl);
    expect((await unknown.json<Problem>()).detail).toBe('there is no suite "poems"; try relay');
    const query = await post("/v1/datasets?suite=relay&name=a/b/c", row("a"), jsonl);
    expect(query.status).toBe(422);
    expect((await query.json<Problem>()).errors?.[0]).toMatchObject({ parameter: "name" });
    const empty = await post(path(name()), "", jsonl);
    expect((await empty.json<Problem>()).detail).toContain("the file has no rows");
  });
});
