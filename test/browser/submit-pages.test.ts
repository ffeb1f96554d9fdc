import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Run } from "../../shared/contracts/run.ts";
import type { SubmissionRequest } from "../../shared/contracts/submissions/submission.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { layoutShift } from "./support/page-look.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";
import { assayKey, submitApi } from "./support/submit-api.ts";

const service = () => {
  const suite = suiteById("extraction");
  if (!suite) throw new Error("the fixture needs the extraction suite");
  return submitApi(suite);
};

const endpointKey = "sk-very-secret";
const refused = "Failed to load resource: the server responded with a status of";

const site = openSite();
const open = apiPages(site);

const opened = (path = "/submit/", more: StubRoutes = {}) => open(path, more, service().routes);

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const estimate = (page: Page) => page.getByRole("button", { name: "Estimate" }).click();
const submit = (page: Page) => page.getByRole("button", { name: "Submit" }).click();
const focused = (page: Page) => page.locator(":focus");
const error = (page: Page, name: string) => page.locator(`[data-error="${name}"]`);

/** Fills the fields that the submission of an endpoint needs. */
async function fill(page: Page, more: Record<string, string> = {}): Promise<void> {
  await page.locator("[data-send=submit]:enabled").waitFor();
  const usual = {
    name: "A model",
    baseUrl: "https://api.acme.example/v1",
    model: "a-1",
    endpointKey,
    inputPerMillion: "1",
    outputPerMillion: "2",
    key: assayKey,
  };
  const folded = page.locator("details:not([open]) > summary").getByText("More options");
  if ("options" in more && (await folded.isVisible())) await folded.click();
  for (const [name, value] of Object.entries({ ...usual, ...more })) {
    await field(page, name).fill(value);
  }
}

describe("batches on /submit/", () => {
  it("are requested with the chosen batch interface", async () => {
    const { page, asked, complaints } = await opened("/submit/?suite=extraction&dataset=stock");
    await fill(page);
    await field(page, "batch").check();
    await field(page, "batches").selectOption("openai");
    await estimate(page);
    await page.getByText("The submission is valid. Nothing was stored.").waitFor();
    const sent = asked.find(({ method }) => method === "POST");
    expect(sent?.body).toMatchObject({
      options: { mode: "batch" },
      models: [{ endpoint: { batches: "openai" } }],
    });
    expect(complaints).toEqual([]);
  });
});

describe("the connection test on /submit/", () => {
  const connect = (page: Page, name: string) => page.getByRole("button", { name }).click();
  const status = (page: Page) => page.locator("[data-connection-status]");

  it("shows the result and what to change, and never shows the endpoint's key", async () => {
    const { page, asked, complaints } = await opened();
    await fill(page, { model: "a-3" });
    await connect(page, "Test connection");
    await status(page).getByText("a-3 cannot be evaluated.").waitFor();
    expect(await shownText(page, "[data-connection]")).toContain("→ did you mean a-1?");
    expect(await flawsOfOpenPage(page, 768, 390)).toEqual([]);
    await field(page, "model").fill("a-1");
    expect(await shownText(page, "[data-connection]")).toBe("");
    await page.getByText("Settings: thinking").click();
    await field(page, "reasoningEffort").selectOption("low");
    await connect(page, "Test connection");
    await status(page).getByText("a-1 can be evaluated.").waitFor();
    const sent = asked.filter(({ method }) => method === "POST");
    expect(sent.map(({ path }) => path)).toEqual(["/v1/connections", "/v1/connections"]);
    expect(sent.at(-1)?.body).toEqual({
      endpoint: {
        baseUrl: "https://api.acme.example/v1",
        model: "a-1",
        apiKey: endpointKey,
        settings: { reasoningEffort: "low" },
      },
    });
    const html = await page.evaluate<string>("document.documentElement.outerHTML");
    expect(html).not.toContain(endpointKey);
    expect(complaints).toEqual([]);
  });

  it("lists the endpoint's models for selection", async () => {
    const { page, asked } = await opened();
    await fill(page, { model: "" });
    await connect(page, "Test connection");
    await error(page, "model").getByText("Name the model to test").waitFor();
    await connect(page, "List models");
    await status(page).getByText("It lists 2 models").waitFor();
    expect(await focused(page).textContent({ timeout: 2_000 })).toBe("List models");
    const names = page.locator("#l-model option");
    expect(await names.evaluateAll((all) => all.map((one) => one.getAttribute("value")))).toEqual([
      "a-1",
      "a-2",
    ]);
    const [sent] = asked.filter(({ method }) => method === "POST");
    expect(sent?.body).not.toHaveProperty("endpoint.model");
  });

  it("shows an error next to its field", async () => {
    const { page } = await opened();
    await fill(page, { baseUrl: "nope", key: "" });
    await connect(page, "List models");
    await error(page, "key").getByText("This deployment requires an API key.").waitFor();
    await field(page, "key").fill(assayKey);
    await connect(page, "List models");
    await error(page, "baseUrl").getByText("Must be an absolute URL").waitFor();
    await status(page).getByText("Not tested.").waitFor();
  });
});

describe("a trial on /submit/", () => {
  it("submits five samples as unlisted, and keeps the form for the whole run", async () => {
    const { page, asked } = await opened();
    await fill(page, { repeats: "2", options: '{"temperature": 0}' });
    await page.getByLabel("Public: on boards").check();
    await page.getByRole("button", { name: "Try 5 samples" }).click();
    await page.getByText("Submission sub_new").waitFor();
    const [tried] = asked.filter(({ method }) => method === "POST");
    expect(tried?.query.get("dryRun")).toBe(null);
    expect(tried?.body).toMatchObject({
      visibility: "unlisted",
      options: { temperature: 0, repeats: 2, sample: { n: 5 } },
    });
    expect(await field(page, "endpointKey").inputValue()).toBe(endpointKey);
    await submit(page);
    await expect.poll(() => asked.filter(({ method }) => method === "POST").length).toBe(2);
    const whole = asked.findLast(({ method }) => method === "POST");
    expect(whole?.body).toMatchObject({ visibility: "public", options: { temperature: 0 } });
    expect(whole?.body).not.toHaveProperty("options.sample");
  });

  it("is not offered for uploaded answers", async () => {
    const { page } = await opened();
    await fill(page);
    await page.getByLabel("I upload answers").check();
    expect(await page.getByRole("button", { name: "Try 5 samples" }).isVisible()).toBe(false);
  });
});

describe("an estimate on /submit/", () => {
  it("is calculated from the form and states the basis of its numbers", async () => {
    const { page, asked, complaints } = await opened("/submit/?suite=extraction&dataset=stock");
    await fill(page, { options: '{"temperature": 0.5}' });
    await field(page, "simulated").check();
    await estimate(page);
    await page.getByText("The submission is valid. Nothing was stored.").waitFor();
    const sent = asked.find(({ method }) => method === "POST");
    expect(sent?.query.get("dryRun")).toBe("true");
    expect(sent?.headers["authorization"]).toBe(`Bearer ${assayKey}`);
    expect(sent?.body).toEqual({
      suite: "extraction",
      dataset: "stock",
      options: { temperature: 0.5 },
      models: [
        {
          name: "A model",
          simulated: true,
          endpoint: { baseUrl: "https://api.acme.example/v1", model: "a-1", apiKey: endpointKey },
          prices: { inputPerMillion: 1, outputPerMillion: 2 },
        },
      ],
      visibility: "unlisted",
    });
    const text = await shownText(page, "#outcome");
    expect(text).toContain("12,450, at most 147,456");
    expect(text).toContain("$0.0662, at most $0.336");
    expect(text).toContain("7.2 s");
    expect(text).toContain("mean of run run_1 (acme/other) on this dataset");
    expect(text).toContain("uses 72 of 9,900 samples left today, until 23 Nov 2026 00:00 UTC");
    expect(await page.evaluate("document.activeElement.id")).toBe("outcome-title");
    expect(await flawsOfOpenPage(page, 768, 390)).toEqual([]);
    await field(page, "name").fill("Another");
    expect(await shownText(page, "#outcome")).toContain("The form has changed since");
    expect(complaints).toEqual([]);
  });

  it("is requested by Enter in a field, which never submits", async () => {
    const { page, asked } = await opened();
    await fill(page);
    await field(page, "name").press("Enter");
    await page.getByText("The estimate is below.").waitFor();
    expect(asked.filter(({ method }) => method === "POST").map(({ query }) => `${query}`)).toEqual([
      "dryRun=true",
    ]);
  });
});

describe("the command below the form", () => {
  const command = (page: Page) => shownText(page, "#submit-command code");

  it("sends the same body as the form, without its secrets", async () => {
    const { page, asked } = await opened("/submit/?suite=extraction&dataset=stock");
    await fill(page, { options: '{"temperature": 0.5}' });
    await field(page, "visibility").first().check();
    const shown = (await page.locator("#submit-command code").textContent()) ?? "";
    expect(shown).not.toContain(endpointKey);
    expect(shown).not.toContain(assayKey);
    await estimate(page);
    await page.getByText("The estimate is below.").waitFor();
    const sent = asked.find(({ method }) => method === "POST")?.body as SubmissionRequest;
    const body = JSON.parse(/-d '([\s\S]*)'$/.exec(shown)?.[1] ?? "") as SubmissionRequest;
    expect(JSON.stringify(body)).toBe(JSON.stringify(sent).replace(endpointKey, "sk-your-key"));
  });

  it("names the file of answers, and keeps its last valid text while the form is invalid", async () => {
    const { page } = await opened();
    await fill(page);
    await page.getByLabel("I upload answers").check();
    await field(page, "answers").setInputFiles({
      name: "mine.jsonl",
      mimeType: "text/plain",
      buffer: Buffer.from('{"id": "a", "output": "{}"}'),
    });
    await expect.poll(() => command(page)).toContain("'./mine.jsonl' | curl");
    await page.getByText("More options").click();
    await field(page, "options").fill("{temperature}");
    expect(await command(page)).toContain("'./mine.jsonl' | curl");
    expect(await shownText(page, "[data-command-note]")).toContain("must be JSON such as");
    expect(await flawsOfOpenPage(page, 768, 390)).toEqual([]);
  });
});

describe("an error on /submit/", () => {
  it("is shown next to its field, and the first field with an error gets the focus", async () => {
    const { page, complaints } = await opened();
    await fill(page, { name: "", baseUrl: "nope" });
    await page.getByText("More about the model").click();
    await field(page, "slug").fill("Not A Slug");
    await page.getByText("More about the model").click();
    await estimate(page);
    await error(page, "baseUrl").getByText("Must be an absolute URL").waitFor();
    expect(await error(page, "slug").textContent()).toContain('not "Not A Slug"');
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    expect(await field(page, "slug").isVisible()).toBe(true);
    const describedBy = await field(page, "baseUrl").getAttribute("aria-describedby");
    expect(describedBy).toBe("h-baseUrl e-baseUrl");
    expect(await field(page, "baseUrl").getAttribute("aria-invalid")).toBe("true");
    expect(await shownText(page, "#submission-status")).toBe(
      "Nothing was submitted. 3 fields need a change.",
    );
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await fill(page);
    await field(page, "slug").fill("");
    await estimate(page);
    await page.getByText("The estimate is below.").waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(0);
    expect(complaints.filter((one) => !one.startsWith(refused))).toEqual([]);
  });

  it("is shown for options, prices and a missing file before a request is sent", async () => {
    const { page, asked } = await opened();
    await fill(page, { options: "{temperature}", inputPerMillion: "" });
    await page.getByLabel("I upload answers").check();
    await submit(page);
    expect(await error(page, "options").textContent()).toMatch(/^Must be JSON such as/);
    expect(await error(page, "inputPerMillion").textContent()).toBe(
      "Give both prices, or neither.",
    );
    expect(await error(page, "answers").textContent()).toBe("Choose a file of answers.");
    expect(asked.some(({ method }) => method === "POST")).toBe(false);
  });

  it("is shown at the key for 401, and above the form if it belongs to no field", async () => {
    const { page } = await opened();
    await fill(page, { key: "wrong" });
    await estimate(page);
    await error(page, "key").getByText("This deployment requires an API key.").waitFor();
    const over = "the day's samples are used up: submit fewer with options.sample, or wait";
    const { page: other } = await opened("/submit/", {
      "POST /v1/submissions": () => problem(429, over, { retryable: true }),
    });
    await fill(other);
    await submit(other);
    await other.getByText(`Nothing was submitted. ${over}.`).waitFor();
    expect(await focused(other).textContent({ timeout: 2_000 })).toBe("Submit");
  });

  it("is shown when the API can't be reached", async () => {
    const { page } = await opened();
    await page.context().route("https://api.assay.example/**", (route) => route.abort());
    await page.reload();
    await page.getByText("could not be reached").waitFor();
    expect(await page.locator("[data-send]:enabled").count()).toBe(0);
  });
});

describe("uploaded answers on /submit/", () => {
  const file = (text: string) => ({
    name: "answers.jsonl",
    mimeType: "application/jsonl",
    buffer: Buffer.from(text),
  });

  it("are read in the browser and sent without an endpoint", async () => {
    const { page, asked } = await opened();
    await fill(page);
    await page.getByLabel("I upload answers").check();
    await field(page, "answers").setInputFiles(file('{"id":"a","output":"{}"}\n'));
    await field(page, "standardPrompt").check();
    await estimate(page);
    await page.getByText("The estimate is below.").waitFor();
    const sent = asked.find(({ method }) => method === "POST")?.body;
    const [model] = (sent as SubmissionRequest).models;
    expect(model).toMatchObject({
      answers: [{ id: "a", output: "{}" }],
      promptHash: "d".repeat(64),
    });
    expect(model).not.toHaveProperty("endpoint");
  });

  it("have errors with line numbers", async () => {
    const { page } = await opened();
    await fill(page);
    await page.getByLabel("I upload answers").check();
    await field(page, "answers").setInputFiles(file('{"id":"a"}\n\n{"id":7,"output":""}\nx'));
    await submit(page);
    await error(page, "answers").getByText("Line 4 must be a JSON object.").waitFor();
    await field(page, "answers").setInputFiles(
      file('{"id":"a","output":""}\n\n{"id":7,"output":""}'),
    );
    await submit(page);
    await error(page, "answers").getByText("Line 3, id: must be a string, not 7.").waitFor();
  });
});

describe("a submission on /submit/", () => {
  it("is followed live until its report is available, and leaves no secrets in the page or storage", async () => {
    const { page, asked, complaints } = await opened();
    await fill(page);
    await submit(page);
    await page.getByText("120 of 500 samples done").waitFor();
    const bar = page.getByRole("progressbar", { name: "Progress of A model" });
    expect(await bar.getAttribute("aria-valuenow")).toBe("120");
    expect(await shownText(page, ".outcome-key")).toMatch(/answered 120.*to come 380/s);
    await page.emulateMedia({ forcedColors: "active" });
    const swatches = await page
      .locator(".outcome-key i")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(swatches).size).toBe(2);
    await page.emulateMedia({ forcedColors: null });
    expect(await shownText(page, ".run-place")).toContain("spent $0.24 of at most $2.00");
    expect(await flawsOfOpenPage(page, 768, 390)).toEqual([]);
    await page.getByRole("link", { name: "Report" }).waitFor();
    const { steps } = service();
    const score = steps.at(-1)?.metrics?.["eqs"];
    const text = await shownText(page, ".run-place");
    expect(text).toContain(score?.value?.toFixed(3));
    expect(text).toContain(score?.interval?.map((end) => end.toFixed(3)).join("–"));
    expect(await page.getByRole("link", { name: "Report" }).getAttribute("href")).toBe(
      "/run/?id=run_new",
    );
    expect(await page.locator("[data-action]").count()).toBe(0);
    expect(await shownText(page, "#submission-status")).toBe("A model: Finished.");
    const sent = asked.find(({ method }) => method === "POST");
    expect(sent?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(page.url()).toMatch(/\/submit\/\?submission=sub_new$/);
    expect(await field(page, "endpointKey").inputValue()).toBe("");
    const kept = await page.evaluate<string>(
      "JSON.stringify([location.href, document.cookie, {...localStorage}, {...sessionStorage}, history.state, document.documentElement.outerHTML])",
    );
    expect(kept).not.toContain(endpointKey);
    expect(kept).not.toContain(assayKey);
    const withKey = asked.filter(({ headers }) => headers["authorization"] !== undefined);
    expect(withKey.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/submissions",
    ]);
    expect(asked.map(({ path, query }) => `${path}${query}`).join()).not.toMatch(
      /secret|assay-key/,
    );
    expect(complaints).toEqual([]);
  });

  it("can be paused, resumed and cancelled", async () => {
    const { page, asked } = await opened();
    await fill(page);
    await submit(page);
    await page.getByText("120 of 500 samples done").waitFor();
    await page.getByRole("button", { name: "Pause A model" }).click();
    await page.getByText("Paused: paused by its owner.", { exact: true }).waitFor();
    expect(await focused(page).textContent({ timeout: 2_000 })).toBe("Resume A model");
    await page.getByRole("button", { name: "Resume A model" }).click();
    await page.getByRole("button", { name: "Pause A model" }).waitFor();
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Cancel A model" }).click();
    await page.getByText("Cancelled.", { exact: true }).waitFor();
    expect(await focused(page).textContent({ timeout: 2_000 })).toContain("Samples");
    const actions = asked.flatMap(({ path }) => /run_new\/(\w+)$/.exec(path)?.[1] ?? []);
    expect(actions).toEqual(["pause", "resume", "cancel"]);
  });

  it("continues with a new cost limit after the old one is reached", async () => {
    const { routes } = service();
    const cost = { spentUsd: 2, maxUsd: 2 };
    const paused = { status: "paused", statusReason: "maxCostUsd is reached", cost };
    let isPaused = true;
    const { page, asked } = await opened("/submit/?submission=sub_new", {
      "GET /v1/runs/*": (one, parts) => {
        const run = routes["GET /v1/runs/*"]?.(one, parts).body as Run;
        return { headers: { "retry-after": "30" }, body: isPaused ? { ...run, ...paused } : run };
      },
      "POST /v1/runs/*/resume": (one, parts) => {
        isPaused = false;
        return routes["POST /v1/runs/*/resume"]?.(one, parts) ?? problem(500, "");
      },
    });
    await page.getByLabel("New total limit").fill("5");
    await field(page, "key").fill(assayKey);
    await page.getByLabel("New total limit").press("Enter");
    await page.getByRole("button", { name: "Pause A model" }).waitFor();
    const resumed = asked.find(({ path }) => path.endsWith("/resume"));
    expect(resumed?.body).toEqual({ maxCostUsd: 5 });
  });

  it("can be reopened by its URL, where changes need the owner's key", async () => {
    const { page } = await opened("/submit/?submission=sub_new");
    await page.getByText("120 of 500 samples done").waitFor();
    await page.getByRole("button", { name: "Pause A model" }).click();
    await error(page, "key").getByText("This deployment requires an API key.").waitFor();
    expect(await shownText(page, "#submission-status")).toContain("The run was not changed");
    const { page: unknown } = await opened("/submit/?submission=sub_x");
    await unknown.getByRole("heading", { name: "No submission “sub_x”" }).waitFor();
    const text = await shownText(unknown, "#outcome");
    expect(text).toContain("Check it against the id in the response to your submission");
    expect(text).toContain("The form above starts a new submission.");
    expect(text).not.toContain("return to its address later");
  });

  it("keeps its idempotency key when it is retried", async () => {
    let turn = 0;
    const { routes } = service();
    const { page, asked } = await opened("/submit/", {
      "POST /v1/submissions": (one, parts) => {
        turn++;
        if (turn === 1) return problem(502, "try again", { retryable: true });
        const again = { headers: { "retry-after": "0" } };
        if (turn === 2) return { ...problem(409, "under way", { retryable: true }), ...again };
        return routes["POST /v1/submissions"]?.(one, parts) ?? problem(500, "");
      },
    });
    await fill(page);
    await submit(page);
    await page.getByText("Nothing was submitted. try again.").waitFor();
    await submit(page);
    await page.getByText("Submission sub_new").waitFor();
    const keys = asked.flatMap(({ headers }) => headers["idempotency-key"] ?? []);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

it("/submit/ loads without a visible layout shift and can be used with only the keyboard", async () => {
  const { page } = await opened();
  await page.locator("[data-send=submit]:enabled").waitFor();
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await field(page, "suite").focus();
  const visited: string[] = [];
  for (let i = 0; i < 26; i++) {
    await page.keyboard.press("Tab");
    visited.push(await page.evaluate<string>("document.activeElement.name"));
  }
  const named = visited.filter(Boolean);
  expect(named.slice(0, 6)).toEqual(["dataset", "name", "simulated", "source", "baseUrl", "model"]);
  expect(named).toContain("visibility");
  expect(named).toContain("key");
});

it("/submit/ accepts a dataset by name that is not in the list", async () => {
  const { page, asked } = await opened("/submit/?dataset=acme/own");
  await fill(page);
  expect(await field(page, "otherDataset").inputValue()).toBe("acme/own");
  await estimate(page);
  await page.getByText("The estimate is below.").waitFor();
  expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
    dataset: "acme/own",
  });
});

it("/submit/ shows the alternatives without JavaScript", async () => {
  const context = await site.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.origin}/submit/`);
  const text = await shownText(page, "main");
  expect(text).toContain("The form needs JavaScript;");
  expect(text).toContain("curl https://api.assay.example/v1/submissions");
  expect(await page.locator("form:visible, #outcome:visible").count()).toBe(0);
  await context.close();
});
