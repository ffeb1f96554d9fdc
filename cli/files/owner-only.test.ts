import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareFolder } from "../local/wrangler.ts";
import { createForOwner, ownerFolder, writeOwnerFile } from "./owner-only.ts";

let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-owner-test-"));
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (...path: string[]) => (lstatSync(join(folder, ...path)).mode & 0o777).toString(8);

it("ownerFolder() and writeOwnerFile() give access only to the owner, for any umask", () => {
  ownerFolder(join(folder, "a", "b"));
  writeOwnerFile(join(folder, "a", "b", "key"), "secret");
  expect([modeOf("a"), modeOf("a", "b"), modeOf("a", "b", "key")]).toEqual(["700", "700", "600"]);
});

it("ownerFolder() restricts existing folders and files, but no targets of links", () => {
  mkdirSync(join(folder, "state", "logs"), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, "state", "logs", "worker.log"), "", { mode: 0o644 });
  writeFileSync(join(folder, "elsewhere"), "", { mode: 0o644 });
  symlinkSync(join(folder, "elsewhere"), join(folder, "state", "link"));
  symlinkSync(join(folder, "nowhere"), join(folder, "state", "dangling"));
  ownerFolder(join(folder, "state"));
  const modes = [modeOf("state"), modeOf("state", "logs"), modeOf("state", "logs", "worker.log")];
  expect([...modes, modeOf("elsewhere")]).toEqual(["700", "700", "600", "644"]);
});

it("writeOwnerFile() restricts an existing file", () => {
  const path = join(folder, "key");
  writeFileSync(path, "old");
  chmodSync(path, 0o666);
  writeOwnerFile(path, "new");
  expect(modeOf("key")).toBe("600");
});

it("prepareFolder() restricts the folder with keys and logs of an older version", () => {
  const state = join(folder, "state");
  mkdirSync(state, { mode: 0o755 });
  for (const name of ["secrets.env", "worker.log"]) {
    writeFileSync(join(state, name), "", { mode: 0o644 });
  }
  prepareFolder(state, false);
  const modes = ["", "secrets.env", "worker.log"].map((name) => modeOf("state", name));
  expect(modes).toEqual(["700", "600", "600"]);
  prepareFolder(state, true);
  expect([modeOf("state"), modeOf("state", "secrets.env")]).toEqual(["700", "600"]);
  expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
});

it("prepareFolder() adds secrets after a last line without a line break", () => {
  const file = join(folder, "secrets.env");
  writeFileSync(file, "REQUIRE_API_KEY=true");
  prepareFolder(folder, false);
  expect(readFileSync(file, "utf8")).toMatch(
    /^REQUIRE_API_KEY=true\nSECRETS_KEY=\w{64}\nOPERATOR_SECRET=\w{64}\nSIGNING_KEY=.+\n$/,
  );
});

it("createForOwner() restricts everything that is created afterwards to the owner", () => {
  createForOwner();
  writeFileSync(join(folder, "log"), "");
  mkdirSync(join(folder, "sub"));
  expect([modeOf("log"), modeOf("sub")]).toEqual(["600", "700"]);
});

it("prepareFolder() replaces empty secrets and keeps the others", () => {
  const file = join(folder, "secrets.env");
  writeFileSync(file, "SECRETS_KEY=\nOPERATOR_SECRET=kept\n");
  prepareFolder(folder, false);
  const secrets = parseEnv(readFileSync(file, "utf8"));
  expect(secrets).toMatchObject({ SECRETS_KEY: expect.stringMatching(/^\w{64}$/) });
  expect(secrets["OPERATOR_SECRET"]).toBe("kept");
});

it("prepareFolder() says why it cannot store secrets", () => {
  mkdirSync(join(folder, "secrets.env"));
  expect(() => prepareFolder(folder, false)).toThrow(/Can't store the data in .*: EISDIR/);
});
