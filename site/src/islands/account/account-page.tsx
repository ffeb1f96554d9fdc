import type { AccountView, Session, SignIn } from "#shared/contracts/keys/account.ts";
import type { ApiKey, CreatedApiKey } from "#shared/contracts/keys/api-key.ts";
import type { Device } from "#shared/contracts/keys/device.ts";
import type { Usage } from "#shared/contracts/keys/usage.ts";
import { type Call, callApi } from "../api.ts";
import { ApiError } from "../api-error.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import {
  DeviceView,
  KeysView,
  MadeKeyView,
  SessionsView,
  SignInView,
  UsageView,
  WhoView,
} from "./AccountViews.tsx";
import { startOwnData } from "./own-data.ts";

const DAY_MS = 86_400_000;

/** What a sign-in that failed says in the page's address. */
const problems: Record<string, string> = {
  denied: "The sign-in was cancelled at the provider.",
  invalid: "The provider did not confirm this sign-in, or its time was over. Sign in again.",
  unavailable: "The provider could not be reached. Try again later.",
};

/** Shows the account of this browser, and carries out what its forms and buttons say. */
export async function startAccountPage(): Promise<void> {
  const query = new URLSearchParams(location.search);
  try {
    const account = await ownAccount();
    if (account === null) return await offerSignIn(query);
    await new AccountPage(account.csrfToken ?? "", query.get("code")).show(account);
  } catch (error) {
    say(`The account could not be loaded: ${(error as Error).message}. Reload the page.`);
  }
}

/** Null without a session. */
async function ownAccount(): Promise<AccountView | null> {
  try {
    const { value } = await callApi<AccountView>("/v1/account", { session: "" });
    return value.csrfToken === null ? null : value;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

async function offerSignIn(query: URLSearchParams): Promise<void> {
  const { value } = await callApi<SignIn>("/v1/sign-in");
  const code = query.get("code");
  const to = code === null ? "/account/" : `/account/?code=${encodeURIComponent(code)}`;
  put("[data-sign-in]", <SignInView providers={value.providers} to={to} />);
  say(problems[query.get("problem") ?? ""] ?? null);
}

const put = (selector: string, view: unknown): void => {
  findPart(document, selector).innerHTML = String(view ?? "");
};

class AccountPage {
  readonly #session: string;
  readonly #code: string | null;

  constructor(session: string, code: string | null) {
    this.#session = session;
    this.#code = code;
  }

  async show(account: AccountView): Promise<void> {
    put("[data-who]", <WhoView account={account} />);
    await Promise.all([
      this.#showUsage(),
      this.#showKeys(),
      this.#showSessions(),
      this.#showDevice(),
    ]);
    startOwnData(account.owner, (path, call) => this.#call(path, call));
    findPart(document, "[data-signed-in]").hidden = false;
    say(null);
    findPart(document, "[data-signed-in]").addEventListener("click", ({ target }) => {
      if (target instanceof HTMLElement) void this.#act(target.dataset);
    });
    const form = findPart<HTMLFormElement>(document, "[data-new-key]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#try(() => this.#makeKey(form));
    });
  }

  async #call<T>(path: string, call: Call = {}): Promise<T> {
    return (await callApi<T>(path, { ...call, session: this.#session })).value;
  }

  async #showUsage(): Promise<void> {
    put("[data-usage]", <UsageView usage={await this.#call<Usage>("/v1/usage")} />);
  }

  async #showKeys(): Promise<void> {
    const { keys } = await this.#call<{ keys: ApiKey[] }>("/v1/account/keys");
    put("[data-keys]", <KeysView keys={keys} />);
  }

  async #showSessions(): Promise<void> {
    const { sessions } = await this.#call<{ sessions: Session[] }>("/v1/account/sessions");
    put("[data-sessions]", <SessionsView sessions={sessions} />);
  }

  async #showDevice(): Promise<void> {
    if (this.#code === null) return;
    try {
      const device = await this.#call<Device>(`/v1/device/${encodeURIComponent(this.#code)}`);
      put("[data-device]", <DeviceView device={device} />);
    } catch (error) {
      put("[data-device]", <p class="notice">{(error as Error).message}</p>);
    }
  }

  #act({ revoke, end, decide }: DOMStringMap): Promise<void> | undefined {
    if (revoke !== undefined) return this.#try(() => this.#revoke(revoke));
    if (end !== undefined) return this.#try(() => this.#end(end));
    if (decide !== undefined) return this.#try(() => this.#decide(decide === "approve"));
    return undefined;
  }

  async #try(step: () => Promise<void>): Promise<void> {
    try {
      say(null);
      await step();
    } catch (error) {
      say(`That failed: ${(error as Error).message}.`);
    }
  }

  async #makeKey(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const body = {
      name: text("name"),
      scopes: [text("scope")],
      ...(text("days") && {
        expiresAt: new Date(Date.now() + Number(text("days")) * DAY_MS).toISOString(),
      }),
      ...(text("quota") && { dailySamples: Number(text("quota")) }),
    };
    const made = await this.#call<CreatedApiKey>("/v1/account/keys", { method: "POST", body });
    put("[data-made]", <MadeKeyView made={made} />);
    form.reset();
    await this.#showKeys();
  }

  async #revoke(id: string): Promise<void> {
    await this.#call(`/v1/account/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
    put("[data-made]", null);
    await this.#showKeys();
  }

  async #end(id: string): Promise<void> {
    await this.#call(`/v1/account/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
    if (id === "current" || id === "all") location.assign("/account/");
    else await this.#showSessions();
  }

  async #decide(approve: boolean): Promise<void> {
    const path = `/v1/device/${encodeURIComponent(this.#code ?? "")}`;
    await this.#call<Device>(path, { method: "POST", body: { approve } });
    const done = approve
      ? "The program is signed in. You can close this page."
      : "The program gets no key.";
    put("[data-device]", <p class="notice">{done}</p>);
    history.replaceState(null, "", "/account/");
    await this.#showKeys();
  }
}
