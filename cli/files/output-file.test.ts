import { execFileSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeNew } from "./open-file.ts";
import { saveStream, writeWhole } from "./output-file.ts";

let folder = "";
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-output-"));
  writeFileSync(at("kept"), "before");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("saveStream()", () => {
  it("keeps the earlier file and leaves no partial file if a stream fails", async () => {
    async function* broken() {
      yield "half";
      throw new Error("stream failed");
    }
    await expect(saveStream(Readable.from(broken()), at("kept"))).rejects.toThrow("stream failed");
    expect(readdirSync(folder)).toEqual(["kept"]);
    expect(readFileSync(at("kept"), "utf8")).toBe("before");
  });

  it("writes the whole stream", async () => {
    expect(await saveStream(Readable.from(["é", "b"].map(Buffer.from)), at("kept"))).toBe(3);
    expect(readFileSync(at("kept"), "utf8")).toBe("éb");
  });

  it("writes through a link and into a pipe without replacing them", async () => {
    symlinkSync("kept", at("link"));
    await saveStream(Readable.from(["after"]), at("link"));
    expect(readFileSync(at("kept"), "utf8")).toBe("after");
    execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
    const read = text(createReadStream(at("pipe")));
    await saveStream(Readable.from(["piped"]), at("pipe"));
    expect(await read).toBe("piped");
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
  });

  it("appends to /dev/stdout, whether that is a pipe or a file", () => {
    const from = JSON.stringify(join(import.meta.dirname, "output-file.ts"));
    const script = `import { writeWhole } from ${from}; writeWhole("/dev/stdout", "piped");`;
    const run = (shell: string) =>
      execFileSync("sh", ["-c", shell, process.execPath, script, at("kept")]).toString();
    expect(run('"$0" --input-type=module -e "$1" | cat')).toBe("piped");
    run('(echo; "$0" --input-type=module -e "$1"; echo " after") >> "$2"');
    expect(readFileSync(at("kept"), "utf8")).toBe("before\npiped after\n");
  });

  it("refuses a folder", async () => {
    await expect(saveStream(Readable.from(["x"]), folder)).rejects.toThrow(
      `${folder}: it is a folder, not a file`,
    );
  });
});

it("writeWhole() replaces a file, and fails if the folder does not exist", () => {
  writeWhole(at("kept"), "after");
  expect([readdirSync(folder), readFileSync(at("kept"), "utf8")]).toEqual([["kept"], "after"]);
  expect(() => writeWhole(at("none/a"), "x")).toThrow("folder does not exist; create it first");
});

it.runIf(existsSync("/dev/shm"))("writeWhole() replaces a file in memory", () => {
  const file = join(mkdtempSync("/dev/shm/assay-output-"), "kept");
  writeWhole(file, "before");
  writeWhole(file, "after");
  expect(readFileSync(file, "utf8")).toBe("after");
  rmSync(dirname(file), { recursive: true });
});

it("writeNew() writes all files or none, and keeps existing files", () => {
  expect(() => writeNew([at("a"), "x"], [at("kept"), "y"])).toThrow("kept: file exists");
  expect(() => writeNew([at("a"), "x"], [at("none/b"), "y"])).toThrow("folder does not exist");
  expect(existsSync(at("a"))).toBe(false);
  expect(readFileSync(at("kept"), "utf8")).toBe("before");
  writeNew([at("a"), "x"], [at("b"), "y"]);
  expect(readFileSync(at("b"), "utf8")).toBe("y");
});
