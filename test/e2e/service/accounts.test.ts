import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadStock, localClient } from "../../../cli/local/load-stock.ts";
import { root } from "../../../cli/local/root.ts";
import { type Stack, startStack } from "../../../cli/local/stack.ts";
import { prepareFolder, secretsOf } from "../../../cli/local/wrangler.ts";
import { suites } from "../../../shared/suites/registry.ts";
import { flawsOfOpenPage } from "../../browser/support/audit-page.ts";
import { openSite } from "../../browser/support/open-site.ts";
import { apiOrigin } from "../../browser/support/stub-api.ts";
import { standInProvider, standInSettings } from "../../support/stand-in-provider.ts";
import { ran } from "../ran.ts";

/** Ports of the service, of the sign-in provider, and of the public origin with pages and API, as in a deployment. */
const [port, providerPort, publicPort] = [9890, 9897, 9899];
const origin = `http://localhost:${publicPort}`;
const folder = mkdtempSync(join(tmpdir(), "assay-accounts-"));
const provider = standInProvider(`http://localhost:${providerPort}`, origin);
const site = openSite();
let stack: Stack;

/** A server that answers with `answer`. */
const serverOf = (base: string, answer: (request: Request) => Promise<Response>) =>
  createServer(async (asked, response) => {
    const { method = "GET", url = "/", headers } = asked;
    const body = ["GET", "HEAD"].includes(method) ? null : await text(asked);
    const init = { method, headers: headers as Record<string, string>, body };
    const reply = await answer(new Request(new URL(url, base), init));
    // fetch() has decoded the body, so its length may differ.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"])
      reply.headers.delete(name);
    const { "set-cookie": _, ...rest } = Object.fromEntries(reply.headers);
    response.writeHead(reply.status, { ...rest, "set-cookie": reply.headers.getSetCookie() });
    response.end(Buffer.from(await reply.arrayBuffer()));
  });

async function publicAnswer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isApi = pathname.startsWith("/v1/");
  const body = isApi && request.body !== null ? await request.text() : null;
  const headers = new Headers(request.headers);
  for (const name of ["host", "connection", "content-length", "accept-encoding"])
    headers.delete(name);
  const to = `${isApi ? stack.origin : site.origin}${pathname}${search}`;
  const init = { method: request.method, headers, body, redirect: "manual" as const };
  const reply = await fetch(to, init);
  if (isApi) return new Response(reply.body, reply);
  return new Response((await reply.text()).replaceAll(apiOrigin, origin), reply);
}

const servers = [
  serverOf(provider.origin, provider.answer),
  serverOf(origin, publicAnswer),
] as const;

beforeAll(async () => {
  prepareFolder(folder, false);
  const settings = { ...standInSettings(provider.origin), REQUIRE_API_KEY: "true" };
  vi.stubEnv("ASSAY_PUBLIC_ORIGIN", origin);
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
  appendFileSync(secretsOf(folder), lines.join(""));
  servers[0].listen(providerPort);
  servers[1].listen(publicPort);
  stack = await startStack({ port, folder, fresh: false, site: false, print: console.error });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await stack?.stop();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openPage(path: string, colorScheme: "light" | "dark", width: number): Promise<Page> {
  const context = await site.browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${origin}${path}`);
  return page;
}

const signedIn = (page: Page) => page.getByText("Signed in as octocat").waitFor();

it("loadStock() loads the datasets of a service that requires keys with the operator's key", async () => {
  const { origin: own, client } = stack;
  await expect(loadStock(localClient(own))).rejects.toThrow("send an API key");
  expect((await loadStock(client)).size).toBe(suites.length);
});

it("/account/ signs a person in with GitHub, makes a key, approves assay login, and signs out", async () => {
  provider.state.person = { id: 583_231, login: "octocat", name: "Mona <b>" };
  const page = await openPage("/account/", "light", 390);
  await page.getByRole("link", { name: "Sign in with GitHub" }).click();
  await signedIn(page);
  expect(await page.locator("[data-who] b").count()).toBe(0);
  await page.getByText("No keys yet.").waitFor();

  await page.getByLabel("Purpose of a new key").fill("nightly job");
  await page.getByRole("button", { name: "Make key" }).click();
  const key = (await page.locator("[data-made] code").textContent()) ?? "";
  const usage = await fetch(`${origin}/v1/account`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await usage.json()).toMatchObject({ owner: "octocat" });
  await page.getByRole("row", { name: /nightly job/ }).waitFor();
  expect(await flawsOfOpenPage(page)).toEqual([]);

  const config = join(folder, "config");
  const launcher = join(root, "cli", "assay.mjs");
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: config,
    ASSAY_URL: origin,
    ASSAY_API_KEY: "",
    NO_COLOR: "1",
  };
  const login = spawn(process.execPath, [launcher, "login", "--scope", "organisations"], { env });
  const address = await new Promise<string>((resolve) => {
    let printed = "";
    login.stderr.on("data", (chunk) => {
      printed += chunk;
      const found = /http:\S+code=[A-Z-]{9}\n/.exec(printed);
      if (found !== null) resolve(found[0].trim());
    });
  });
  await page.goto(address);
  await page.getByText("Sign in a program?").waitFor();
  expect(await flawsOfOpenPage(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  expect(await once(login, "exit")).toEqual([0, null]);
  const assay = (...args: string[]) => ran(process.execPath, [launcher, ...args], { env });
  expect((await assay("whoami")).stdout).toMatch(
    /^octocat, with the scopes submit, organisations \(key key_/,
  );
  await page.reload();
  await page.getByRole("row", { name: /assay login on/ }).waitFor();
  expect((await assay("logout")).stdout).toContain("signed out");
  expect((await assay("whoami")).status).not.toBe(0);

  await page.getByRole("button", { name: "Revoke nightly job" }).click();
  await page.getByText("No keys yet.").waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Sign in with GitHub" }).waitFor();
  await page.context().close();
});

it("/account/ exports the account, and deletes it after its name is typed", async () => {
  provider.state.person = { id: 7, login: "hubot", name: "Hubot" };
  const page = await openPage("/account/", "dark", 390);
  await page.getByRole("link", { name: "Sign in with GitHub" }).click();
  await page.getByText("Signed in as hubot").waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const zip = await saved;
  expect(zip.suggestedFilename()).toBe("hubot.zip");
  const bytes = readFileSync(await zip.path(), "latin1");
  for (const part of ["account.json", "sessions.json", "audit-log.json"])
    expect(bytes).toContain(part);
  await page.getByLabel("Type the name of your account").fill("octocat");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("nothing was deleted").waitFor();
  expect(await flawsOfOpenPage(page)).toEqual([]);
  await page.getByLabel("Type the name of your account").fill("hubot");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("link", { name: "Sign in with GitHub" }).waitFor();
  await page.context().close();
});

it("/account/ shows a sign-in cancelled at the provider and an unreachable API, also in dark mode", async () => {
  provider.state.person = null;
  const page = await openPage("/account/", "dark", 1280);
  await page.getByRole("link", { name: "Sign in with GitHub" }).click();
  await page.getByText("The sign-in was cancelled at the provider.").waitFor();
  expect(await flawsOfOpenPage(page)).toEqual([]);
  await page.route("**/v1/sign-in", (route) => route.abort());
  await page.goto(`${origin}/account/`);
  await page.getByText("The account could not be loaded").waitFor();
  await page.context().close();
});
