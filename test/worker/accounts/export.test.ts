import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, it } from "vitest";
import { exportedTables, otherTables } from "../../../api/accounts/export-store.ts";
import { invitations } from "../../../api/accounts/schema.ts";
import type { AccountExport, ExportedRows } from "../../../shared/contracts/keys/account-data.ts";
import { serve } from "../support/client.ts";
import { anAccount, harness } from "../support/harness.ts";
import { everyTable, fillTables, OWN_TEXT, ownDataset, ownRun } from "../support/owned-things.ts";

it("every table is exported, or is excluded with a reason", () => {
  const exported = Object.values(exportedTables).map(({ table }) => getTableName(table));
  expect([...exported, ...Object.keys(otherTables)].toSorted()).toEqual(
    [...everyTable.keys()].toSorted(),
  );
});

it("GET /v1/account/export lists files with all data of the account, and with none of others", async () => {
  const { platform, deliverAll } = harness();
  const owner = `ada-${crypto.randomUUID().slice(0, 8)}`;
  const api = serve(platform, {
    own: anAccount(owner, { person: owner }),
    key: anAccount("acme"),
    member: anAccount("acme", { person: owner }),
  });
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const data = await ownDataset(platform, owner, OWN_TEXT);
  const run = await ownRun(platform, owner, data);
  const other = await ownRun(platform, "mallory", data);
  await deliverAll();
  await fillTables(platform, owner, run, "bob");
  const files = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await api.get(`/v1/account/export?after=${after}`, as("own"));
    const read = (await page.json()) as AccountExport;
    files.push(...read.files);
    after = read.next;
  }
  const texts = new Map<string, string>();
  const done = (action: string, target: string, after: object) => ({
    at: 1,
    id: crypto.randomUUID(),
    actor: owner,
    keyId: null,
    action,
    target,
    reason: null,
    before: null,
    after: after as Record<string, string>,
    status: 200,
    requestId: "r",
  });
  for (const entry of [
    done("invitation.create", "inv_1", { owner: "acme", person: "secret-guest" }),
    done("run.visibility", other, { visibility: "secret-state" }),
  ]) {
    await platform.audit.add(entry);
  }
  const invitation = { hash: "h", id: "inv_1", owner: "acme", role: "read" as const };
  await drizzle(env.DB)
    .insert(invitations)
    .values({
      ...invitation,
      person: "secret-guest",
      createdBy: owner,
      createdAt: 1,
      expiresAt: 9e15,
    });
  for (const { path, url } of files) {
    const file = await api.get(url, as("own"));
    texts.set(path, await file.text());
    expect([path, file.status]).toEqual([path, 200]);
  }
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining([
      "account.json",
      `runs/${run}/answers.jsonl`,
      `runs/${run}/samples.jsonl`,
      `runs/${run}/aggregates.json`,
      `runs/${run}/statement.json`,
    ]),
  );
  for (const name of Object.keys(exportedTables).filter((name) => name !== "boards")) {
    const { rows } = JSON.parse(texts.get(`${name}.json`) ?? "{}") as ExportedRows;
    expect([name, rows.length > 0]).toEqual([name, true]);
  }
  const all = [...texts.values()].join("\n");
  expect(all).toContain(OWN_TEXT);
  expect(all).toContain(OWN_TEXT.toUpperCase());
  expect(all).not.toContain(other);
  expect(all).not.toContain("secret-");
  // The export has no hashes of tokens and no sealed secrets.
  for (const secret of [/"h[1-4] ada/, /sealed/i, /"t"/]) expect(all).not.toMatch(secret);
  expect((await api.get("/v1/account/export", as("key"))).status).toBe(200);
  expect((await api.get("/v1/account/export", as("member"))).status).toBe(403);
  expect((await api.get("/v1/account/export/runs", as("own"))).status).toBe(404);
});
