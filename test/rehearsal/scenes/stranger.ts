import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openBrowser } from "../../browser/support/browser.ts";
import type { Person, standInProvider } from "../../support/stand-in-provider.ts";
import type { Cloud } from "../cloud/cloud.ts";

interface Seen {
  status: number;
  text: string;
}

/** A person who uses a deployment in their own browser. */
export interface Stranger {
  page: Page;
  /** Opens a page of the site and waits until it has loaded. */
  opened(path: string): Promise<Page>;
  /** Sends a request from a page of the site, with the session's cookie if there is one. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Seen>;
  /** POSTs a body; a string is sent as JSON Lines. Throws on an error status. */
  post<T>(path: string, body: unknown): Promise<T>;
  /** Resolves when the run has ended. */
  ended(run: string): Promise<void>;
}

/** Opens browsers that reach only the stand-in's edge, with a stand-in for GitHub's pages. */
export async function openStrangers(cloud: Cloud, { state }: ReturnType<typeof standInProvider>) {
  const browser = await openBrowser([`--proxy-server=${cloud.edge.env["HTTPS_PROXY"]}`], true);

  async function newcomer(): Promise<{ page: Page; stranger: Stranger }> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`${cloud.origin}/404.html`);
    return { page, stranger: strangerOn(page, cloud.origin) };
  }

  async function signUp(person: Person): Promise<Stranger> {
    const { page, stranger } = await newcomer();
    state.person = person;
    await page.goto(`${cloud.origin}/account/`);
    await page.getByRole("link", { name: "Sign in with GitHub" }).click();
    await page.getByText(`Signed in as ${person.login}`).waitFor();
    return stranger;
  }

  return { newcomer, signUp, close: () => browser.close() };
}

function strangerOn(page: Page, origin: string): Stranger {
  const once: Stranger["send"] = (method, path, body, headers = {}) =>
    page.evaluate(
      async ([method, path, body, headers]) => {
        const account = await fetch("/v1/account").then((reply) => reply.json());
        const isText = typeof body === "string";
        const reply = await fetch(path, {
          method,
          headers: {
            ...(account.csrfToken && { "x-csrf-token": account.csrfToken }),
            "content-type": isText ? "application/jsonl" : "application/json",
            ...headers,
          },
          ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        });
        return { status: reply.status, text: await reply.text() };
      },
      [method, path, body, headers] as const,
    );
  const send: Stranger["send"] = async (...call) => {
    for (;;) {
      const seen = await once(...call);
      if (seen.status !== 429) return seen;
      await setTimeout(2_000);
    }
  };
  return {
    page,
    send,
    async opened(path) {
      await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
      return page;
    },
    async post<T>(path: string, body: unknown) {
      const { status, text } = await send("POST", path, body);
      if (status >= 300) throw new Error(`POST ${path}: ${status} ${text.slice(0, 600)}`);
      return JSON.parse(text) as T;
    },
    async ended(run) {
      for (;;) {
        const { text } = await send("GET", `/v1/runs/${run}`);
        const { status } = JSON.parse(text) as { status: string };
        if (status === "finished") return;
        if (["failed", "cancelled"].includes(status)) throw new Error(text.slice(0, 600));
        await setTimeout(1_000);
      }
    },
  };
}
