import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { StartedDevice } from "../../../shared/contracts/keys/device.ts";
import { problemOf } from "../support/client.ts";
import { signInService } from "../support/sign-in-service.ts";

let last = 90_000;

/** A program that has started a sign-in, and a signed-in person. */
async function begun(scope = "") {
  const rig = signInService();
  rig.provider.state.person = { id: ++last, login: `user-${last}` };
  const mona = rig.browser();
  await mona.signIn();
  const program = rig.browser();
  const path = `/v1/device?name=assay%20login%20on%20laptop${scope}`;
  const started = await program.send(path, { method: "POST" });
  expect(started.status).toBe(201);
  const device = (await started.json()) as StartedDevice;
  const ask = (code = device.deviceCode) =>
    program.send("/v1/device/key", { method: "POST", headers: { "x-device-code": code } });
  const askLater = async () => {
    rig.state.clock += 5_000;
    const answer = await ask();
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const decide = (approve: boolean, code = device.userCode) =>
    mona.write("POST", `/v1/device/${code}`, { approve });
  return { ...rig, mona, device, ask, askLater, decide };
}

describe("a program's sign-in", () => {
  it("gives the program one key after a person has approved", async () => {
    const { device, mona, askLater, decide, byKey } = await begun();
    expect(device.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(device.verificationUriComplete).toBe(
      `https://assay.test/account/?code=${device.userCode}`,
    );
    expect(await askLater()).toEqual({
      status: 202,
      body: { status: "pending", intervalSeconds: 5 },
    });
    const shown = await (await mona.send(`/v1/device/${device.userCode}`)).json();
    expect(shown).toMatchObject({ name: "assay login on laptop", userCode: device.userCode });
    expect((await decide(true, device.userCode.toLowerCase().replace("-", ""))).status).toBe(200);
    const { status, body } = await askLater();
    expect(status).toBe(200);
    expect(body).toMatchObject({ owner: `user-${last}`, scopes: ["submit"] });
    const who = await (await byKey("GET", "/v1/account", `${body["key"]}`)).json();
    expect(who).toMatchObject({ owner: `user-${last}`, keyId: body["id"] });
    expect((await askLater()).status).toBe(404);
    expect((await byKey("GET", "/v1/organisations", `${body["key"]}`)).status).toBe(403);
  });

  it("gives a key with the scope organisations on request, which the person sees", async () => {
    const { device, mona, askLater, decide, byKey } = await begun("&scope=organisations");
    const shown = await (await mona.send(`/v1/device/${device.userCode}`)).json();
    expect(shown).toMatchObject({ scope: "organisations" });
    await decide(true);
    const { body } = await askLater();
    expect(body).toMatchObject({ scopes: ["submit", "organisations"] });
    expect((await byKey("GET", "/v1/organisations", `${body["key"]}`)).status).toBe(200);
  });

  it("counts the key towards the account's maximum of 50", async () => {
    const { mona, decide, ask, browser, state } = await begun();
    const make = () => mona.write("POST", "/v1/account/keys", { name: "job" });
    for (let i = 0; i < 49; i++) expect((await make()).status).toBe(201);
    const other = await browser().send("/v1/device?name=other", { method: "POST" });
    const { userCode, deviceCode } = (await other.json()) as StartedDevice;
    expect((await decide(true)).status).toBe(200);
    expect((await decide(true, userCode)).status).toBe(200);
    state.clock += 5_000;
    const answers = await Promise.all([ask(), ask(deviceCode)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect((await problemOf(refused)).detail).toContain("has 50 keys that work");
    expect((await make()).status).toBe(409);
    const late = await browser().send("/v1/device?name=late", { method: "POST" });
    const { userCode: third } = (await late.json()) as StartedDevice;
    expect((await decide(true, third)).status).toBe(409);
  });

  it("does not store the device code", async () => {
    const { device } = await begun();
    const { results } = await env.DB.prepare("SELECT * FROM devices").all();
    expect(JSON.stringify(results)).toContain(device.userCode);
    expect(JSON.stringify(results)).not.toContain(device.deviceCode);
  });

  it("slows down a program that polls too fast", async () => {
    const { ask, askLater } = await begun();
    await askLater();
    expect(await (await ask()).json()).toEqual({ status: "slow-down", intervalSeconds: 10 });
    expect((await askLater()).body).toEqual({ status: "slow-down", intervalSeconds: 15 });
  });

  it("reports that the person denied", async () => {
    const { askLater, decide } = await begun();
    await decide(false);
    expect((await askLater()).status).toBe(403);
    expect((await askLater()).status).toBe(404);
  });

  it("expires after ten minutes for program and person", async () => {
    const { state, ask, decide, mona, device } = await begun();
    state.clock += 600_000;
    expect((await ask()).status).toBe(410);
    expect((await decide(true)).status).toBe(404);
    expect((await mona.send(`/v1/device/${device.userCode}`)).status).toBe(404);
  });

  it("is decided once, by a signed-in person on the service's own page", async () => {
    const { browser, decide, mona, device, askLater } = await begun();
    const path = `/v1/device/${device.userCode}`;
    expect((await browser().write("POST", path, { approve: true })).status).toBe(401);
    const forged = { origin: "https://evil.example" };
    expect((await mona.write("POST", path, { approve: true }, forged)).status).toBe(403);
    await decide(false);
    expect((await decide(true)).status).toBe(404);
    expect((await askLater()).status).toBe(403);
  });

  it("is not found by another code", async () => {
    const { ask, decide } = await begun();
    expect((await ask("guess")).status).toBe(404);
    expect((await decide(true, "BCDF-GHJK")).status).toBe(404);
  });

  it.each(["", "a\u202eb", "x".repeat(81)])("can't have the name %j", async (name) => {
    const { browser } = await begun();
    const path = `/v1/device?name=${encodeURIComponent(name)}`;
    expect((await browser().send(path, { method: "POST" })).status).toBe(422);
  });

  it("answers 404 at a service without sign-in", async () => {
    const rig = signInService();
    Object.assign(rig.platform, { identityProviders: [] });
    const started = await rig.browser().send("/v1/device?name=x", { method: "POST" });
    expect(started.status).toBe(404);
  });
});
