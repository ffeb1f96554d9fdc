import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import { nameSkeleton } from "../../../shared/contracts/text/slug.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { operatorSecret, signInService } from "../support/sign-in-service.ts";

const SESSION = "__Host-assay-session";
const octocat = { id: 583_231, login: "Octocat", name: "Mona", avatar: "https://avatars.test/1" };

/** Ids and logins that no other test has used. */
let last = 1_000;
const somebody = (login = `person-${last + 1}`) => ({ id: ++last, login });

async function signedUp(rig: ReturnType<typeof signInService>, person: typeof octocat | object) {
  rig.provider.state.person = person as typeof octocat;
  const browser = rig.browser();
  expect(await browser.signIn()).toBe("/account/");
  return (await browser.account()).owner;
}

describe("sign-in with GitHub", () => {
  it("creates an account named after the login, and a session whose token is stored as a hash", async () => {
    const { browser, provider } = signInService();
    provider.state.person = octocat;
    const mona = browser();
    expect(await mona.signIn("github", "/submit/?suite=tools")).toBe("/submit/?suite=tools");
    expect(await mona.account()).toMatchObject({
      owner: "octocat",
      name: "Mona",
      login: "Octocat",
      provider: "GitHub",
      avatarUrl: "https://avatars.test/1",
      scopes: ["submit"],
      keyId: null,
    });
    const token = mona.cookies.get(SESSION) ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const stored = await env.DB.prepare("SELECT * FROM sessions").all();
    expect(JSON.stringify(stored.results)).not.toContain(token);
  });

  it("sets a cookie that is HttpOnly, Secure, SameSite and host-only", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const mona = browser();
    const back = await mona.send(await mona.atProvider());
    const cookie = back.headers.getSetCookie().find((line) => line.startsWith(SESSION));
    expect(cookie).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax/);
    expect(cookie).not.toMatch(/Domain/i);
    expect(back.headers.get("cache-control")).toMatch(/no-store|private/);
  });

  it("identifies a person by the provider's id, not by the login", async () => {
    const rig = signInService();
    const person = somebody("renamed");
    expect(await signedUp(rig, person)).toBe("renamed");
    expect(await signedUp(rig, { ...person, login: "new-name" })).toBe("renamed");
    expect(await signedUp(rig, somebody("renamed"))).toBe("renamed-github");
  });

  it.each([
    ["of the operator's keys", "acme", "acme-github"],
    ["similar to one of these", "zet-a", "zet-a-github"],
    ["of the service itself", "Assay", "assay-github"],
    ["of a role", "admin", "admin-github"],
    ["similar to a role", "0perat0r", "0perat0r-github"],
  ])("does not give a name %s", async (_, login, owner) => {
    const rig = signInService();
    for (const taken of ["acme", "zeta"]) {
      await rig.byKey("POST", "/v1/keys", operatorSecret, { owner: taken, name: "job" });
    }
    expect(await signedUp(rig, somebody(login))).toBe(owner);
  });

  it("does not give a name that is the prefix of models or datasets", async () => {
    const rig = signInService();
    const file = new TextEncoder().encode('{"id":"s1","first":"a","expected":"A"}');
    const by = { owner: "operator", anyOwner: true, visibility: "public" as const };
    const rows = { suite: relaySuite, name: "maker/rows", file, allowPartial: false };
    expect((await registerDataset(rig.platform, { ...rows, ...by })).ok).toBe(true);
    expect(await signedUp(rig, somebody("maker"))).toBe("maker-github");
  });

  it("does not give a taken name to a person of another provider", async () => {
    const rig = signInService();
    expect(await signedUp(rig, { id: 77, login: "same" })).toBe("same");
    rig.provider.state.person = { id: 77, login: "same" };
    const other = rig.browser();
    expect(await other.signIn("openid")).toBe("/account/");
    expect(await other.account()).toMatchObject({ owner: "same-openid", provider: "Acme" });
  });

  it("does not give a name in ADMIN_ACCOUNTS, or its rights, for a login that can be chosen", async () => {
    const rig = signInService({ adminAccounts: ["openid:boss"] });
    rig.provider.state.person = { id: 78, login: "boss" };
    const browser = rig.browser();
    await browser.signIn("openid");
    expect(await browser.account()).toMatchObject({ owner: "boss-openid", scopes: ["submit"] });
  });

  it.each([
    ["without valid characters", "日本", "user-github"],
    ["that is an e-mail address", "Jo.Doe@example.com", "jo.doe"],
    ["with a direction mark", "ab\u202ecd", "ab-cd"],
  ])("derives a name from a login %s", async (_, login, owner) => {
    expect(await signedUp(signInService(), somebody(login))).toBe(owner);
  });

  it("replaces an invisible name and drops an unsafe picture", async () => {
    const { browser, provider } = signInService();
    provider.state.person = { ...somebody(), name: "\u202e", avatar: "javascript:alert(1)" };
    const mona = browser();
    await mona.signIn();
    expect(await mona.account()).toMatchObject({ name: "\ufffd", avatarUrl: null });
  });
});

describe("a sign-in is refused", () => {
  const problemOf = (location: string | null) => /problem=(\w+)/.exec(location ?? "")?.[1];

  it("if the person denies it at the provider", async () => {
    const { browser } = signInService();
    const mona = browser();
    expect(problemOf(await mona.signIn())).toBe("denied");
    expect(mona.cookies.has(SESSION)).toBe(false);
  });

  it("with the state of another browser", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const [mona, mallory] = [browser(), browser()];
    const callback = await mallory.atProvider();
    await mona.atProvider();
    const back = await mona.send(callback);
    expect(problemOf(back.headers.get("location"))).toBe("invalid");
    expect(mona.cookies.has(SESSION)).toBe(false);
  });

  it("in a browser that did not start it", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const back = await browser().send(await browser().atProvider());
    expect(problemOf(back.headers.get("location"))).toBe("invalid");
  });

  it("a second time, even with the first cookies", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const mona = browser();
    const callback = await mona.atProvider();
    const cookies = [...mona.cookies];
    expect((await mona.send(callback)).headers.get("location")).toBe("/account/");
    const again = browser();
    expect(problemOf((await again.send(callback)).headers.get("location"))).toBe("invalid");
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect(problemOf((await again.send(callback)).headers.get("location"))).toBe("invalid");
  });

  it("after ten minutes", async () => {
    const { browser, provider, state } = signInService();
    provider.state.person = somebody();
    const mona = browser();
    const callback = await mona.atProvider();
    state.clock += 600_000;
    expect(problemOf((await mona.send(callback)).headers.get("location"))).toBe("invalid");
  });

  it("at a provider other than the one it started at", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const mona = browser();
    const callback = (await mona.atProvider("openid")).replace("/openid/", "/github/");
    expect(problemOf((await mona.send(callback)).headers.get("location"))).toBe("invalid");
  });

  it.each([
    ["of another issuer", { reply: { iss: "https://evil.example" }, claims: {} }],
    ["with another nonce", { reply: {}, claims: { nonce: "of another sign-in" } }],
    ["for another client", { reply: {}, claims: { aud: "another client" } }],
    ["with an old token", { reply: {}, claims: { exp: 1 } }],
  ])("with a reply %s", async (_, { reply, claims }) => {
    const { browser, provider } = signInService();
    Object.assign(provider.state, { person: somebody(), reply, claims });
    expect(problemOf(await browser().signIn("openid"))).toBe("invalid");
  });

  it("while the provider is away", async () => {
    const { browser, provider } = signInService();
    provider.state.person = somebody();
    const mona = browser();
    const callback = await mona.atProvider();
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("connection refused"));
    expect(problemOf((await mona.send(callback)).headers.get("location"))).toBe("unavailable");
  });

  it("at a provider that is not set up", async () => {
    expect(problemOf(await signInService().browser().atProvider("gitlab"))).toBe("invalid");
  });
});

it.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example/",
  "/.//evil.example/",
  "/a/..//evil.example/",
  "javascript:alert(1)",
  "evil.example",
])("a sign-in never redirects to another origin: %s", async (to) => {
  const { browser, provider } = signInService();
  provider.state.person = somebody();
  expect(await browser().signIn("github", to)).toBe("/account/");
});

it("a sign-in replaces and ends a session that was planted before", async () => {
  const { browser, provider } = signInService();
  const [mallory, mona] = [browser(), browser()];
  provider.state.person = somebody();
  await mallory.signIn();
  mona.cookies.set(SESSION, mallory.cookies.get(SESSION) ?? "");
  provider.state.person = somebody("victim");
  await mona.signIn();
  expect((await mona.account()).owner).toBe("victim");
  expect((await mallory.send("/v1/account")).status).toBe(401);
});

it("the migration reserves the names of existing keys", async () => {
  const { platform } = signInService();
  const names = ["st0ck-vv.rn_1", "plain", "i3-5"];
  await env.DB.prepare("DELETE FROM accounts").run();
  for (const owner of names) {
    await env.DB.prepare(
      "INSERT INTO api_keys (hash, id, owner, name, scopes, created_at) VALUES (?1, ?1, ?1, 'job', '[]', 1)",
    )
      .bind(owner)
      .run();
  }
  const fill = env.MIGRATIONS.flatMap(({ queries }) => queries).find((one) =>
    one.includes("INSERT OR IGNORE INTO `accounts`"),
  );
  await env.DB.prepare(fill ?? "").run();
  const rows = await env.DB.prepare("SELECT owner, skeleton FROM accounts").all();
  expect(rows.results.toSorted((a, b) => (`${a["owner"]}` < `${b["owner"]}` ? -1 : 1))).toEqual(
    expect.arrayContaining(names.map((owner) => ({ owner, skeleton: nameSkeleton(owner) }))),
  );
  expect(await platform.accounts.bySkeleton(nameSkeleton("stock-w.m_l"))).toBe(names[0]);
});
