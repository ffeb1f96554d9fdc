import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { exportAccount } from "../../cli/remote/export-account.ts";
import { serviceClient } from "../../cli/remote/service-client.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A service that exports an account. Replies of the paths in `broken` are cut off. */
async function aService(paths: string[] = ["runs/r1/answers.jsonl", "runs/r2/answers.jsonl"]) {
  const state = { broken: new Set<string>(), asked: [] as string[], owner: "ada" };
  const file = (path: string) => ({ path, url: `/v1/${path}`, isPaged: false });
  const pages: Record<string, object> = {
    "": {
      files: [{ path: "usage.json", url: "/v1/account/export/usage", isPaged: true }],
      next: "r",
    },
    r: { files: [...paths.map(file), file("runs/gone.json")], next: null },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    state.asked.push(url.pathname);
    const after = url.searchParams.get("after") ?? "";
    const json = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/v1/account/export") json(200, { owner: state.owner, ...pages[after] });
    else if (url.pathname.endsWith("/usage")) {
      json(200, { rows: [{ used: Number(after) }], next: after === "0" ? "500" : null });
    } else if (url.pathname.endsWith("gone.json")) json(410, { detail: "they were deleted" });
    else if (state.broken.has(url.pathname)) {
      response.writeHead(200, { "content-length": "100" });
      response.end("half of it", () => request.socket.destroy());
    } else response.end(`all of ${url.pathname}`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const zip = join(await mkdtemp(join(tmpdir(), "assay-")), "ada.zip");
  const save = () => exportAccount(serviceClient({ origin, apiKey: "k" }, "submit"), zip);
  return { state, zip, save };
}

it("exportAccount() writes one zip and lists the files that the service did not send", async () => {
  const { zip, save } = await aService();
  const saved = await save();
  expect(saved).toMatchObject({ owner: "ada", files: 3, missing: [{ path: "runs/gone.json" }] });
  const bytes = readFileSync(zip, "latin1");
  expect(bytes.startsWith("PK")).toBe(true);
  for (const text of [
    "usage.json",
    "usage-2.json",
    "runs/r2/answers.jsonl",
    "all of /v1/runs/r2",
    "missing.json",
  ]) {
    expect(bytes).toContain(text);
  }
  expect(existsSync(`${zip}.parts`)).toBe(false);
});

it("exportAccount() resumes after an interruption without downloading files again", async () => {
  const { state, zip, save } = await aService();
  state.broken.add("/v1/runs/r2/answers.jsonl");
  await expect(save()).rejects.toThrow();
  expect(existsSync(zip)).toBe(false);
  state.broken.clear();
  state.asked.length = 0;
  await save();
  expect(state.asked).toContain("/v1/runs/r2/answers.jsonl");
  expect(state.asked).not.toContain("/v1/runs/r1/answers.jsonl");
  expect(readFileSync(zip, "latin1")).toContain("all of /v1/runs/r1");
});

it("exportAccount() refuses partial files of another account and paths outside the export", async () => {
  const { state, save } = await aService();
  state.broken.add("/v1/runs/r2/answers.jsonl");
  await expect(save()).rejects.toThrow();
  state.owner = "bob";
  await expect(save()).rejects.toThrow('the export of "ada"');
  const { save: leave } = await aService(["runs/../../r1"]);
  await expect(leave()).rejects.toThrow("does not write");
});
