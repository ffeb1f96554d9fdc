import type { Session } from "#shared/contracts/keys/account.ts";
import type { ApiKey, CreatedApiKey } from "#shared/contracts/keys/api-key.ts";
import type { Device } from "#shared/contracts/keys/device.ts";
import type { Usage } from "#shared/contracts/keys/usage.ts";
import { keptOwner } from "../page-access.ts";
import { ActsForView, listenToActsFor, type SignedIn } from "../session.tsx";
import {
  DeviceView,
  KeysView,
  MadeKeyView,
  SessionsView,
  UsageView,
  WhoView,
} from "./AccountViews.tsx";
import { startOwnData } from "./own-data.ts";
import { attempt, call, onPress, onSubmit, part, put, startOwnPage } from "./own-page.tsx";
import { showThings, thingActions } from "./own-things.tsx";
import { showRetention } from "./retention.tsx";

const DAY_MS = 86_400_000;

const code = new URLSearchParams(location.search).get("code");
const devicePath = `/v1/device/${encodeURIComponent(code ?? "")}`;

async function show(signedIn: SignedIn): Promise<void> {
  put("[data-who]", <WhoView account={signedIn.account} />);
  put("[data-whose]", <ActsForView {...signedIn} />);
  const showOwners = () =>
    Promise.all([
      part("[data-usage]", showUsage),
      part("[data-keys]", showKeys),
      part("[data-datasets]", showThings),
      part("[data-retention]", () => showRetention(call)),
      showDevice(signedIn),
    ]);
  listenToActsFor(document, signedIn, () => void attempt(showOwners));
  await Promise.all([showOwners(), part("[data-sessions]", showSessions)]);
  startOwnData(signedIn.account.owner, (path, its) => call(path, { ...its, asPerson: true }));
}

async function showUsage(): Promise<void> {
  put("[data-usage]", <UsageView usage={await call<Usage>("/v1/usage")} />);
}

async function showKeys(): Promise<void> {
  put("[data-made]", null);
  const { keys } = await call<{ keys: ApiKey[] }>("/v1/account/keys");
  put("[data-keys]", <KeysView keys={keys} />);
}

async function showSessions(): Promise<void> {
  const { sessions } = await call<{ sessions: Session[] }>("/v1/account/sessions");
  put("[data-sessions]", <SessionsView sessions={sessions} />);
}

async function showDevice({ account }: SignedIn): Promise<void> {
  if (code === null || location.search === "") return;
  try {
    const device = await call<Device>(devicePath);
    const organisation = keptOwner();
    const owner = organisation ?? account.owner;
    const isPerson = organisation === null;
    put("[data-device]", <DeviceView device={device} owner={owner} isPerson={isPerson} />);
  } catch (error) {
    put("[data-device]", <p class="notice">{(error as Error).message}</p>);
  }
}

async function makeKey(form: HTMLFormElement): Promise<void> {
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
  const made = await call<CreatedApiKey>("/v1/account/keys", { method: "POST", body });
  form.reset();
  await showKeys();
  put("[data-made]", <MadeKeyView made={made} />);
}

onSubmit("[data-new-key]", makeKey);
onPress({
  ...thingActions,
  async revoke(id) {
    await call(`/v1/account/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
    await showKeys();
  },
  async end(id) {
    await call(`/v1/account/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
    if (id === "current" || id === "all") location.assign("/account/");
    else await showSessions();
  },
  async decide(decision) {
    const approve = decision === "approve";
    await call<Device>(devicePath, { method: "POST", body: { approve } });
    const done = approve
      ? "The program is signed in. You can close this page."
      : "The program gets no key.";
    put("[data-device]", <p class="notice">{done}</p>);
    history.replaceState(null, "", location.pathname);
    await showKeys();
  },
});
void startOwnPage(show);
