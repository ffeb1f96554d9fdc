import { createApp } from "../../../api/app.ts";
import { type Account, localAccount } from "../../../api/keys/account.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../../shared/contracts/boards/snapshot.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";
import type { Run } from "../../../shared/contracts/run.ts";

type Headers = Record<string, string>;

const theSite = () => new Response("the site");

/** The app over a platform; callers are the local account by default. */
export const anApp = (
  platform: Platform,
  account: Parameters<typeof createApp>[0]["account"] = async () => localAccount,
  site = theSite,
) => createApp({ platform: () => platform, account, site: async () => site() });

/** A client of the app over a platform, with accounts by key and the site's answer. */
export function serve(platform: Platform, accounts: Record<string, Account> = {}, site = theSite) {
  const app = anApp(platform, async (_c, key) => accounts[key] ?? null, site);
  const send = async (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    app.request(path, {
      method,
      ...(body === undefined
        ? { headers }
        : {
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
          }),
    });
  return {
    get: (path: string, headers?: Headers) => send("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Headers) => send("POST", path, body, headers),
    put: (path: string, body: unknown, headers?: Headers) => send("PUT", path, body, headers),
    delete: (path: string, headers?: Headers) => send("DELETE", path, undefined, headers),
    patch: (path: string, body: unknown, headers?: Headers) => send("PATCH", path, body, headers),
    send,
    run: async (id: string) => (await (await send("GET", `/v1/runs/${id}`)).json()) as Run,
  };
}

export const problemOf = async (response: Response) => (await response.json()) as Problem;

/** The body of a public submission of one model to the relay suite. */
export const aSubmission = (dataset: string, more: object = {}, model: object = {}) => ({
  suite: "relay",
  dataset,
  visibility: "public",
  models: [
    {
      name: "Model",
      endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" },
      ...model,
    },
  ],
  ...more,
});

/** The latest snapshot, read like the site reads it. */
export async function latestSnapshot(platform: Platform): Promise<Snapshot> {
  const api = serve(platform);
  const { snapshot } = await readSnapshot(async (path) => {
    const response = await api.get(path);
    if (response.ok) return response.json();
    throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  });
  return snapshot;
}
