import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { apiPages, openOwnPage } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { at, hostile, mona, signedIn } from "./support/signed-in.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const site = openSite();
const open = apiPages(site, openOwnPage);

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

/** Accepts the page's next confirmation dialog. */
const confirming = (page: Page) => page.once("dialog", (dialog) => void dialog.accept());

describe("/account/organisations/", () => {
  it("lists members and invitations for an admin, without flaws at both widths", async () => {
    const { page, complaints } = await open("/account/organisations/?owner=acme", acme);
    await page.getByRole("row", { name: /jo/ }).waitFor();
    const text = await shownText(page);
    for (const part of [`${hostile} (acme)`, "mona (you)", "whoever has the link submit mona"]) {
      expect(text).toContain(part);
    }
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("reports the part that can't be loaded and shows the others", async () => {
    const failing = () => problem(503, "try again");
    const { page } = await open(
      "/account/organisations/?owner=acme",
      { "GET /v1/organisations/acme/domains": failing },
      acme,
    );
    await page.getByRole("row", { name: /jo/ }).waitFor();
    const domains = page.locator("[data-domains]");
    await domains.getByText("This could not be loaded").waitFor();
    expect(await shownText(page)).toContain("whoever has the link submit mona");
    await page.getByLabel("Domain", { exact: true }).waitFor();
  });

  it("sends the CSRF token to invite, revoke, change a role, remove a member and hand over", async () => {
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
    // The list is redrawn from the service, whose stub keeps the old role.
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

  it("claims a domain, checks it, reports the missing proof, and removes it", async () => {
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
    const writes = () =>
      asked
        .filter(({ method }) => method !== "GET")
        .map(({ method, path, body }) => [method, path.split("/acme/")[1], body]);
    await expect.poll(writes).toEqual([
      ["POST", "domains", { domain: "acme.com" }],
      ["POST", "domains/acme.com/check", null],
      ["DELETE", "domains/acme.com", null],
    ]);
  });

  it("has an empty state, and shows the API's error", async () => {
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

  it("removes the invitation from the URL, keeps it during sign-in, and joins", async () => {
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
])("%s sets how long results are kept, after a preview of the deletions", async (path, owner) => {
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
