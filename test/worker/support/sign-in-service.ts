import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { platformOf } from "../../../api/index.ts";
import { accountOfToken } from "../../../api/keys/account.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AccountView } from "../../../shared/contracts/keys/account.ts";
import { standInProvider, standInSettings } from "../../support/stand-in-provider.ts";
import { anApp } from "./client.ts";
import { relaySuite } from "./relay-suite.ts";

const SERVICE = "https://assay.test";
export const operatorSecret = "the operator's secret";

/** A service with sign-in, a fake provider, browsers, and a manual clock. */
export function signInService(more: Partial<Platform["settings"]> = {}) {
  const state = { clock: Date.parse("2026-11-30T12:00:00Z") };
  const provider = standInProvider("http://127.0.0.1:9444", SERVICE, () => state.clock);
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    provider.answer(new Request(input as RequestInfo, init as RequestInit)),
  );
  const bindings = { ...env, ...standInSettings(provider.origin) } as unknown as Env;
  const all = platformOf(bindings);
  const platform: Platform = {
    ...all,
    suites: { all: [relaySuite], byId: (id) => (id === "relay" ? relaySuite : undefined) },
    now: () => state.clock,
    settings: { ...all.settings, requireApiKey: true, ...more },
  };
  const app = anApp(platform, (_c, token) =>
    accountOfToken(token, operatorSecret, platform.apiKeys, platform.now()),
  );
  const browser = () => aBrowser((url, init) => app.request(url, init), provider);
  const byKey = (method: string, path: string, key: string, body?: unknown) =>
    app.request(`${SERVICE}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { platform, provider, state, browser, byKey };
}

type Service = (url: string, init: RequestInit) => Response | Promise<Response>;

/** A browser on pages of the service, with its cookies. */
function aBrowser(service: Service, provider: ReturnType<typeof standInProvider>) {
  const cookies = new Map<string, string>();
  let csrfToken = "";

  /** Sends one request, without following redirects. */
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    headers.set("user-agent", headers.get("user-agent") ?? "Browser 1");
    const response = await service(new URL(path, SERVICE).href, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** The URL of the service to which the provider redirects the browser. */
  async function atProvider(by = "github", to = "/account/"): Promise<string> {
    const begun = await send(`/v1/sign-in/${by}?to=${encodeURIComponent(to)}`);
    const location = begun.headers.get("location") ?? "";
    if (!location.startsWith(provider.origin)) return location;
    const sentBack = await provider.answer(new Request(location));
    return sentBack.headers.get("location") ?? "";
  }

  const account = async () => (await (await send("/v1/account")).json()) as AccountView;

  /** Sends a write like a page of the service. */
  const write = (method: string, path: string, body?: unknown, headers: HeadersInit = {}) =>
    send(path, {
      method,
      headers: {
        origin: SERVICE,
        "x-csrf-token": csrfToken,
        "content-type": "application/json",
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  /** Signs in, and returns the final URL. */
  async function signIn(by?: string, to?: string): Promise<string | null> {
    const response = await send(await atProvider(by, to));
    csrfToken = (await account()).csrfToken ?? "";
    return response.headers.get("location");
  }

  return { cookies, send, write, atProvider, signIn, account };
}
