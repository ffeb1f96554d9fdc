import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { aModel, aRun, listedRun } from "./fixtures/fixture-runs.ts";
import { apiPages, openOwnPage } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { problem, type StubRoutes, suitesAnswer } from "./support/stub-api.ts";

const extraction = suiteById("extraction");
if (!extraction) throw new Error("the test needs the suite extraction");
const run = listedRun(
  aRun(extraction, "run_1", aModel("acme/extract", "Extract"), {
    status: "failed",
    statusReason: "the endpoint answered 401",
  }),
);
const at = "2026-11-21T12:00:00.000Z";
const hostile = '"><img src=x onerror=alert(1)>';
const mona = {
  owner: "mona",
  name: hostile,
  avatarUrl: null,
  provider: "GitHub",
  login: "mona",
  scopes: ["submit"],
  keyId: null,
  csrfToken: "csrf-1",
};
const organisations = [
  { owner: "acme", name: hostile, role: "admin" },
  { owner: "other", name: null, role: "read" },
];
const limit = { used: 1, allowed: 100 };
const usage = {
  day: "2026-11-21",
  usedSamples: 10,
  allowedSamples: 5_000,
  remainingSamples: 4_990,
  usedJudgeUsd: null,
  allowedJudgeUsd: null,
  resetsAt: at,
  owner: "mona",
  datasets: limit,
  datasetVersions: limit,
  datasetBytes: limit,
  runBytes: limit,
  boards: limit,
  sharedWith: [],
};
const signedIn: StubRoutes = {
  "GET /v1/account": () => ({ body: mona }),
  "GET /v1/organisations": () => ({ body: { organisations } }),
  "GET /v1/account/keys": () => ({ body: { keys: [] } }),
  "GET /v1/usage": () => ({ body: usage }),
  "GET /v1/account/sessions": () => ({ body: { sessions: [] } }),
  "GET /v1/account/retention": () => ({ body: { rules: [], effects: [] } }),
  "GET /v1/suites": suitesAnswer,
  "GET /v1/datasets": () => ({ body: { datasets: [] } }),
  "GET /v1/shares": () => ({ body: { shares: [] } }),
};

const site = openSite();
const open = apiPages(site, openOwnPage);
const openElsewhere = apiPages(site);

describe("a page that takes a key", () => {
  it.each(["/submit/", "/datasets/add/", "/run/rate/"])(
    "%s says who is signed in, for whom they act, and takes a key instead",
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

  it("writes with the session's token for the chosen organisation, and with a key alone", async () => {
    const { page, asked } = await open(
      "/run/rate/?run=run_1&rater=Ada",
      { "GET /v1/runs/*/rating-tasks": () => problem(403, "no") },
      signedIn,
    );
    await page.getByLabel("Act for").selectOption("acme");
    const headersOf = async (button: string) => {
      await page.getByRole("button", { name: button }).click();
      await page.getByText("That failed: no.").waitFor();
      return asked.findLast((one) => one.path.endsWith("/rating-tasks"))?.headers ?? {};
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

  it("/operate/ uses an admin's session, and a key of those who are none", async () => {
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

  it("asks for nothing and sends no session where nobody is signed in", async () => {
    const { page, asked } = await openElsewhere("/submit/", signedIn);
    await page.getByLabel("API key of Assay").waitFor();
    await expect.poll(() => asked.some(({ path }) => path === "/v1/suites")).toBe(true);
    expect(asked.some(({ path }) => path === "/v1/account")).toBe(false);
    expect(await page.getByRole("link", { name: "sign in" }).getAttribute("href")).toBe(
      "/account/?to=/submit/",
    );
  });
});

it("a private run that can't be read offers a key, and a sign-in that comes back", async () => {
  const { page } = await openElsewhere("/run/?id=run_1", {});
  await page.getByText("The run could not be shown").waitFor();
  const link = page.getByRole("link", { name: "sign in" });
  expect(await link.getAttribute("href")).toMatch(/\/account\/\?to=%2Frun%2F%3Fid%3Drun_1$/);
  const signed = await open("/run/?id=run_1", {});
  await signed.page.getByText("The run could not be shown").waitFor();
  expect(await signed.page.getByRole("link", { name: "sign in" }).isVisible()).toBe(false);
});

describe("who sees a run", () => {
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

  it("is changed by its account in two steps, the first of which says what others would see", async () => {
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

  it("is not for others, nor for those who only read", async () => {
    for (const owner of ["stranger", "other"]) {
      const { page, asked } = await open(`/run/?id=${run.id}`, shows(owner), signedIn);
      await expect.poll(() => asked.some(({ path }) => path === "/v1/organisations")).toBe(true);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByText("Who sees this run").count()).toBe(0);
    }
  });
});

it("datasets are made public or private in two steps, and links are revoked", async () => {
  const dataset = { suite: "extraction", name: "mona/tickets", samples: 5, visibility: "private" };
  const link = { runs: [], createdAt: at, expiresAt: at, revokedAt: null };
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

const members = [
  { person: "mona", role: "admin", addedAt: at, addedBy: "mona" },
  { person: "jo", role: "submit", addedAt: at, addedBy: "mona" },
];
const invitation = {
  id: "inv_1",
  owner: "acme",
  role: "submit",
  person: null,
  createdBy: "mona",
  expiresAt: at,
};
const domain = {
  domain: "acme.com",
  isVerified: true,
  verifiedAt: at,
  checkedAt: at,
  endsAt: at,
  problem: "no record",
  proof: {
    text: `assay-verification=${"x".repeat(32)}`,
    recordName: "_assay.acme.com",
    fileUrl: "https://acme.com/.well-known/assay-verification.txt",
  },
};
const acme: StubRoutes = {
  ...signedIn,
  "GET /v1/organisations/acme/domains": () => ({ body: { domains: [domain] } }),
  "GET /v1/organisations/acme/members": () => ({ body: { members } }),
  "GET /v1/organisations/acme/invitations": () => ({ body: { invitations: [invitation] } }),
};

/** Accepts the page's next question. */
const confirming = (page: Page) => page.once("dialog", (dialog) => void dialog.accept());

describe("the page of organisations", () => {
  it("lists members and invitations with what an admin can do, at both widths", async () => {
    const { page, complaints } = await open("/account/organisations/?owner=acme", acme);
    await page.getByRole("row", { name: /jo/ }).waitFor();
    const text = await shownText(page);
    for (const part of [`${hostile} (acme)`, "mona (you)", "whoever has the link submit mona"]) {
      expect(text).toContain(part);
    }
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("invites, changes a role, removes, hands over and revokes, each with the session's token", async () => {
    const done = () => ({ body: {} });
    const link = "https://assay.example/account/organisations/#invitation=t";
    const { page, asked } = await open(
      "/account/organisations/?owner=acme",
      {
        "POST /v1/organisations/acme/invitations": () => ({ body: { ...invitation, link } }),
        "PATCH /v1/organisations/acme/members/*": done,
        "DELETE /v1/organisations/acme/members/*": done,
        "DELETE /v1/organisations/acme/invitations/*": done,
      },
      acme,
    );
    await page.getByLabel("Account (optional)").fill("jo");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText(link).waitFor();
    expect(await flawsOfOpenPage(page, 390)).toEqual([]);
    await page.getByRole("button", { name: /Revoke the invitation/ }).click();
    await page.getByText(link).waitFor({ state: "detached" });
    const roleOfJo = page.getByLabel("Role of jo");
    await roleOfJo.selectOption("read");
    // The list is drawn again as the service has it.
    await expect.poll(() => roleOfJo.inputValue()).toBe("submit");
    confirming(page);
    await page.getByRole("button", { name: "Remove jo" }).click();
    confirming(page);
    await page.getByRole("button", { name: "Hand over to jo" }).click();
    await page.waitForURL("**/account/organisations/");
    const writes = asked.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, path, body }) => [method, path.split("/acme/")[1], body])).toEqual(
      [
        ["POST", "invitations", { role: "submit", days: 7, person: "jo" }],
        ["DELETE", "invitations/inv_1", null],
        ["PATCH", "members/jo", { role: "read" }],
        ["DELETE", "members/jo", null],
        ["PATCH", "members/jo", { role: "admin" }],
        ["DELETE", "members/mona", null],
      ],
    );
    for (const { headers } of writes) expect(headers["x-csrf-token"]).toBe("csrf-1");
  });

  it("claims a domain, checks it, says what its proof lacks, and gives it up", async () => {
    const { page, asked } = await open(
      "/account/organisations/?owner=acme",
      {
        "POST /v1/organisations/acme/domains": () => ({ status: 201, body: domain }),
        "POST /v1/organisations/acme/domains/*/check": () => ({ body: domain }),
        "DELETE /v1/organisations/acme/domains/*": () => ({ body: { domain: "acme.com" } }),
      },
      acme,
    );
    await page.getByText("lost on 21 Nov 2026 unless its proof is back").waitFor();
    await page.getByLabel("Domain", { exact: true }).fill("acme.com");
    await page.getByRole("button", { name: "Claim" }).click();
    await page.getByRole("button", { name: "Check acme.com" }).click();
    await page.getByText("acme.com is not proven: no record.").waitFor();
    confirming(page);
    await page.getByRole("button", { name: "Remove acme.com" }).click();
    await expect.poll(() => asked.at(-1)?.method).toBe("GET");
    const writes = asked.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, path, body }) => [method, path.split("/acme/")[1], body])).toEqual(
      [
        ["POST", "domains", { domain: "acme.com" }],
        ["POST", "domains/acme.com/check", null],
        ["DELETE", "domains/acme.com", null],
      ],
    );
  });

  it("has an empty state, and says what went wrong", async () => {
    const none: StubRoutes = { "GET /v1/organisations": () => ({ body: { organisations: [] } }) };
    const taken = { "POST /v1/organisations": () => problem(409, '"acme" is taken') };
    const { page } = await open("/account/organisations/", taken, none, signedIn);
    await page.getByText("You are in no organisation yet.").waitFor();
    await page.getByLabel("Account name").fill("acme");
    await page.getByLabel("Display name").fill("Acme");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText('That failed: "acme" is taken.').waitFor();
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    const stranger = await open("/account/organisations/?owner=acme", none, signedIn);
    await stranger.page.getByText("The account could not be loaded").waitFor();
  });

  it("keeps an invitation out of the address while its reader signs in, and joins", async () => {
    let isIn = false;
    const invited: StubRoutes = {
      "GET /v1/account": () => (isIn ? { body: mona } : problem(401, "send an API key")),
      "GET /v1/sign-in": () => ({
        body: { providers: [{ id: "github", label: "GitHub", url: "/v1/sign-in/github" }] },
      }),
      "GET /v1/invitation": () => ({ body: invitation }),
      "POST /v1/invitation/accept": () => ({ body: invitation }),
    };
    const { page, asked } = await open(
      "/account/organisations/#invitation=secret-token",
      invited,
      acme,
    );
    const link = page.getByRole("link", { name: "Sign in with GitHub" });
    expect(await link.getAttribute("href")).toBe(
      "/v1/sign-in/github?to=%2Faccount%2Forganisations%2F",
    );
    expect(page.url()).not.toContain("secret");
    isIn = true;
    await page.reload();
    await page.getByText("mona invites you, with the role submit.").waitFor();
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    await page.getByRole("button", { name: "Join" }).click();
    await page.waitForURL("**/account/organisations/?owner=acme");
    const joined = asked.find(({ path }) => path === "/v1/invitation/accept");
    expect(joined?.headers["x-invitation"]).toBe("secret-token");
  });
});

const rule = { dataset: "acme/tickets", answerDays: 30, runDays: null };
const effect = { dataset: rule.dataset, runs: 7, dueRuns: 1, dueAnswers: 3 };
const dates = { nextRunAt: null, nextAnswersAt: at };

it.each([
  ["/account/", undefined],
  ["/account/organisations/?owner=acme", "acme"],
])("%s sets how long results are kept, once it has said what that deletes", async (path, owner) => {
  let rules: (typeof rule)[] = [];
  const state = () => ({ body: { rules, effects: rules.length ? [{ ...effect, ...dates }] : [] } });
  const routes: StubRoutes = {
    "GET /v1/account/retention": state,
    "PUT /v1/account/retention": ({ body, query }) => {
      const kept = rules;
      ({ rules } = body as { rules: (typeof rule)[] });
      const planned = state();
      if (query.has("dryRun")) rules = kept;
      return planned;
    },
  };
  const { page, asked, complaints } = await open(path, routes, acme);
  await page.getByText("No rule yet").waitFor();
  await page.getByLabel("Runs on the dataset").fill("acme/tickets");
  await page.getByLabel("Delete raw answers after days").fill("30");
  const questions: string[] = [];
  const answer = (accepts: boolean) =>
    page.once("dialog", (dialog) => {
      questions.push(dialog.message());
      void (accepts ? dialog.accept() : dialog.dismiss());
    });
  const set = page.getByRole("button", { name: "Set rule" });
  answer(false);
  await set.click();
  await expect.poll(() => questions.length).toBe(1);
  expect(questions[0]).toContain("1 whole run, and the raw answers of 3 other runs");
  expect(questions[0]).toContain("acme/tickets: answers on 21 Nov 2026");
  answer(true);
  await set.click();
  await page.getByRole("row", { name: "acme/tickets after 30 days never 7 answers on" }).waitFor();
  expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
  answer(true);
  await page.getByRole("button", { name: "Remove the rule: acme/tickets" }).click();
  await page.getByText("No rule yet").waitFor();
  expect(questions[2]).toBe("Nothing is old enough to be deleted now.");
  const writes = asked.filter(({ method }) => method === "PUT");
  expect(writes.map(({ body, query }) => [query.get("dryRun"), body])).toEqual([
    ["true", { rules: [rule] }],
    ["true", { rules: [rule] }],
    [null, { rules: [rule] }],
    ["true", { rules: [] }],
    [null, { rules: [] }],
  ]);
  for (const { headers } of writes) expect(headers["x-assay-owner"]).toBe(owner);
  expect(complaints).toEqual([]);
});

it("the account's page shows the keys of whom the reader acts for", async () => {
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
