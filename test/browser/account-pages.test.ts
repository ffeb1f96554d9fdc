import { describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { aModel, aRun, listedRun } from "./fixtures/fixture-runs.ts";
import { apiPages, openOwnPage } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite } from "./support/open-site.ts";
import { at, hostile, mona, signedIn } from "./support/signed-in.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const extraction = suiteById("extraction");
if (!extraction) throw new Error("the test needs the suite extraction");
const run = listedRun(
  aRun(extraction, "run_1", aModel("acme/extract", "Extract"), {
    status: "failed",
    statusReason: "the endpoint answered 401",
  }),
);

const site = openSite();
const open = apiPages(site, openOwnPage);
const openElsewhere = apiPages(site);

describe("a page that takes a key", () => {
  it.each(["/submit/", "/datasets/add/", "/run/rate/"])(
    "%s shows who is signed in and the account they act for, and accepts a key instead",
    async (path) => {
      const { page, complaints } = await open(path, signedIn);
      await page.getByText("Signed in as mona.").waitFor();
      expect(await page.getByLabel("API key of Assay").isVisible()).toBe(false);
      await page.getByLabel("Act for").selectOption("acme");
      expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
      await page.getByRole("button", { name: "Use a key instead" }).click();
      expect(await page.getByLabel("API key of Assay").isVisible()).toBe(true);
      await page.reload();
      expect(await page.getByLabel("Act for").inputValue()).toBe("acme");
      expect(complaints).toEqual([]);
    },
  );

  it("sends the chosen organisation with a session, and only the key with a key", async () => {
    const { page, asked } = await open(
      "/run/rate/?run=run_1&rater=Ada",
      { "GET /v1/runs/*/rating-tasks": () => problem(403, "no") },
      signedIn,
    );
    await page.getByLabel("Act for").selectOption("acme");
    const tasksAsked = () => asked.filter((one) => one.path.endsWith("/rating-tasks"));
    const headersOf = async (button: string) => {
      const before = tasksAsked().length;
      await page.getByRole("button", { name: button }).click();
      await expect.poll(() => tasksAsked().length).toBe(before + 1);
      await page.getByText("That failed: no.").waitFor();
      return tasksAsked().at(-1)?.headers ?? {};
    };
    const bySession = await headersOf("Start");
    expect([bySession["x-assay-owner"], bySession["authorization"]]).toEqual(["acme", undefined]);
    await page.getByRole("button", { name: "Use a key instead" }).click();
    await page.getByLabel("API key of Assay").fill("assay_key");
    const byKey = await headersOf("Start");
    expect([byKey["x-assay-owner"], byKey["authorization"]]).toEqual([
      undefined,
      "Bearer assay_key",
    ]);
  });

  it("/operate/ uses the session of an admin and asks everyone else for a key", async () => {
    const admin = { ...mona, scopes: ["submit", "admin"] };
    const lists: StubRoutes = {
      "GET /v1/operator/*": () => problem(503, "busy"),
    };
    const { page, asked } = await open(
      "/operate/",
      { "GET /v1/account": () => ({ body: admin }) },
      lists,
      signedIn,
    );
    await page.getByText("Signed in as mona.").waitFor();
    expect(await page.getByLabel("Act for").count()).toBe(0);
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("That failed: busy.").waitFor();
    const { headers = {} } = asked.find(({ path }) => path === "/v1/operator/overview") ?? {};
    expect([headers["authorization"], headers["x-assay-owner"]]).toEqual([undefined, undefined]);
    const other = await open("/operate/", lists, signedIn);
    await other.page.getByLabel("API key of Assay").waitFor();
    await expect.poll(() => other.asked.length).toBe(2);
    expect(await other.page.getByText("Signed in").count()).toBe(0);
  });

  it("requests no account data when nobody is signed in", async () => {
    const { page, asked } = await openElsewhere("/submit/", signedIn);
    await page.getByLabel("API key of Assay").waitFor();
    await expect.poll(() => asked.some(({ path }) => path === "/v1/suites")).toBe(true);
    expect(asked.some(({ path }) => path === "/v1/account")).toBe(false);
    expect(await page.getByRole("link", { name: "sign in" }).getAttribute("href")).toBe(
      "/account/?to=/submit/",
    );
    const providers = [{ id: "github", label: "GitHub", url: "/v1/sign-in/github" }];
    const signIn = { "GET /v1/sign-in": () => ({ body: { providers } }) };
    const own = await open("/account/", signIn, signedIn);
    await own.page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
    const before = own.asked.length;
    await own.page.context().clearCookies();
    await own.page.reload();
    await own.page.getByRole("link", { name: "Sign in with GitHub" }).waitFor();
    expect(own.asked.slice(before).map((one) => one.path)).toEqual(["/v1/sign-in"]);
  });
});

it("/run/ links a private run to a sign-in that returns to it, unless the reader is signed in", async () => {
  const { page } = await openElsewhere("/run/?id=run_1", {});
  await page.getByText("The run could not be shown").waitFor();
  const link = page.getByRole("link", { name: "sign in" });
  expect(await link.getAttribute("href")).toMatch(/\/account\/\?to=%2Frun%2F%3Fid%3Drun_1$/);
  const signed = await open("/run/?id=run_1", {});
  await signed.page.getByText("The run could not be shown").waitFor();
  expect(await signed.page.getByRole("link", { name: "sign in" }).isVisible()).toBe(false);
});

describe("the visibility of a run", () => {
  const report = (owner: string) => ({
    run: { ...run, visibility: "private", model: { ...run.model, slug: `${owner}/extract` } },
    suite: { id: "extraction", label: "Extraction", headline: "eqs", metrics: [], views: [] },
    sections: [],
    samples: [],
  });
  const shows = (owner: string): StubRoutes => ({
    "GET /v1/runs/*/report": () => ({ body: report(owner) }),
    "PATCH /v1/runs/*": ({ query, body }) => {
      const to = (body as { visibility: string }).visibility;
      const change = { run: run.id, from: "private", to, shows: [hostile], hides: [] };
      return { body: query.has("dryRun") ? change : { ...run, visibility: to } };
    },
  });

  it("is changed by the owner in two steps: a preview of what others would see, then the change", async () => {
    const { page, asked, complaints } = await open(`/run/?id=${run.id}`, shows("acme"), signedIn);
    await page.getByRole("button", { name: "Make public…" }).click();
    await page.getByText(`shows ${hostile}`).waitFor();
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Make public…" }).click();
    await page.getByRole("button", { name: "Make public", exact: true }).click();
    await page.getByText("It is public now.").waitFor();
    await page.getByRole("button", { name: "Make private…" }).waitFor();
    const writes = asked.filter(({ method }) => method === "PATCH");
    expect(writes.map(({ query, body }) => [query.get("dryRun"), body])).toEqual([
      ["true", { visibility: "public" }],
      ["true", { visibility: "public" }],
      [null, { visibility: "public" }],
    ]);
    for (const { headers } of writes) {
      expect([headers["x-csrf-token"], headers["x-assay-owner"]]).toEqual(["csrf-1", "acme"]);
    }
    expect(complaints).toEqual([]);
  });

  it("can't be changed by other accounts or by members with the role read", async () => {
    for (const owner of ["stranger", "other"]) {
      const { page, asked } = await open(`/run/?id=${run.id}`, shows(owner), signedIn);
      await expect.poll(() => asked.some(({ path }) => path === "/v1/organisations")).toBe(true);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByText("Who sees this run").count()).toBe(0);
    }
  });
});

it("/account/ changes the visibility of a dataset in two steps and revokes share links", async () => {
  const dataset = { suite: "extraction", name: "mona/tickets", samples: 5, visibility: "private" };
  const link = { runs: [], createdBy: "jo", createdAt: at, expiresAt: at, revokedAt: null };
  const opens = { board: { suite: "extraction", dataset: "mona/tickets" } };
  const { page, asked, complaints } = await open(
    "/account/",
    {
      "GET /v1/datasets": () => ({ body: { datasets: [dataset, dataset] } }),
      "GET /v1/shares": () => ({
        body: { shares: [{ ...link, id: "share_1", opens, note: hostile }] },
      }),
      "PATCH /v1/datasets/extraction/*": ({ body }) => {
        const to = (body as { visibility: string }).visibility;
        return {
          body: { ...dataset, versions: [], from: ["private"], to, shows: [hostile], hides: [] },
        };
      },
      "DELETE /v1/shares/*": () => ({ body: link }),
    },
    signedIn,
  );
  await page.getByRole("button", { name: "Make public… mona/tickets" }).click();
  await page.getByText(`shows ${hostile}`).waitFor();
  expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(`shows ${hostile}`).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Make public… mona/tickets" }).click();
  await page.getByRole("button", { name: "Make public", exact: true }).click();
  await page.getByText(`shows ${hostile}`).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /Revoke the link/ }).click();
  await expect.poll(() => asked.some(({ method }) => method === "DELETE")).toBe(true);
  const writes = asked.filter(({ method }) => method !== "GET");
  expect(writes.map(({ method, query }) => [method, query.get("dryRun")])).toEqual([
    ["PATCH", "true"],
    ["PATCH", "true"],
    ["PATCH", null],
    ["DELETE", null],
  ]);
  for (const { headers } of writes) expect(headers["x-csrf-token"]).toBe("csrf-1");
  expect(complaints).toEqual([]);
});

it("/account/ shows the keys of the account that the reader acts for", async () => {
  const { page, asked } = await open("/account/", signedIn);
  await page.getByText("No keys yet.").waitFor();
  await page.getByLabel("Act for").selectOption("acme");
  const owners = () =>
    asked
      .filter(({ path }) => path === "/v1/account/keys")
      .map((one) => one.headers["x-assay-owner"]);
  await expect.poll(owners).toEqual([undefined, "acme"]);
  expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
});
