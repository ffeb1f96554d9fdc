import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import { method, number, object, type SimulatedClass, structured, text } from "./simulated.ts";

/** A folder is an object of its entries; a file is its text. */
type Folder = JsonObject;

const nameless = /[|/\\?%*:"><]/;

/** BFCL's `GorillaFileSystem`: folders and files, and a current folder that is not part of its public state. */
export const fileSystem: SimulatedClass = (config) => {
  const [[rootName, given] = ["/", null]] = Object.entries(object(config["root"] ?? {}));
  const root: Folder = given === null ? {} : folderOf(object(object(given)["contents"]));
  const state: JsonObject = { root: { name: rootName, contents: root } };
  let path: { name: string; folder: Folder }[] = [{ name: rootName, folder: root }];
  const here = () => path.at(-1)!.folder;
  const entry = (name: Json | undefined): Json | undefined =>
    typeof name === "string" && Object.hasOwn(here(), name) ? here()[name] : undefined;
  const fileOf = (name: Json | undefined): string | null => {
    const its = entry(name);
    return isJsonObject(its) || its === undefined ? null : asText(its);
  };
  const noFile = (command: string, name: Json | undefined) => ({
    error: `${command}: ${name}: No such file or directory`,
  });
  const onFile = (command: string, run: (content: string, args: JsonObject) => Json) =>
    (args: JsonObject) => {
      const content = fileOf(args["file_name"]);
      return content === null ? noFile(command, args["file_name"]) : run(content, args);
    };
  const create = (key: string, command: string, verb: string, value: () => Json) =>
    method([key], {}, (args) => {
      const name = text(args[key]);
      if (nameless.test(name))
        return { error: `${command}: cannot ${verb} '${name}': Invalid character` };
      if (entry(name) !== undefined)
        return { error: `${command}: cannot ${verb} '${name}': File exists` };
      here()[name] = value();
      return null;
    });
  const transfer = (command: "mv" | "cp", done: string) =>
    method(["source", "destination"], {}, (args) => {
      const [source, destination] = [text(args["source"]), text(args["destination"])];
      const verb = `${command}: cannot ${command === "mv" ? "move" : "copy"} '${source}'`;
      const item = entry(source);
      if (item === undefined) return { error: `${verb}: No such file or directory` };
      if (destination.includes("/")) return { error: `${command}: no path allowed in destination.` };
      const target = entry(destination);
      if (target !== undefined && !isJsonObject(target))
        return { error: `${verb} to '${destination}': Not a directory` };
      const within = target === undefined ? here() : target;
      const name = target === undefined ? destination : source;
      if (target !== undefined && Object.hasOwn(target, source)) {
        if (command === "cp")
          throw new Error(`'${source}' already exists in directory '${destination}'.`);
        return { error: `${verb} to '${destination}/${source}': File exists` };
      }
      if (command === "mv") delete here()[source];
      // A copied folder has entries of its own, but shares the folders within it.
      within[name] = command === "cp" && isJsonObject(item) ? { ...item } : item;
      const to = target === undefined ? destination : `${destination}/${source}`;
      return { result: `'${source}' ${done} to '${to}'` };
    });
  return {
    state,
    methods: {
      pwd: method([], {}, () => ({
        current_working_directory: `/${path.map(({ name }) => name).join("/")}`,
      })),
      ls: method([], { a: false }, ({ a }) => ({
        current_directory_content: Object.keys(here()).filter((name) => a || !name.startsWith(".")),
      })),
      cd: method(["folder"], {}, ({ folder: given }) => {
        const folder = text(given).replace(/\/+$/, "") || "/";
        if (folder !== "/" && folder.includes("/")) {
          return {
            error: `cd: ${folder}: Unsupported path. Only one folder level at a time is supported.`,
          };
        }
        if (folder === "..") {
          if (path.length === 1)
            return { error: "Cuurent directory is already the root. Cannot go back." };
          path = path.slice(0, -1);
          return {};
        }
        if (folder === "/") path = path.slice(0, 1);
        else if (folder !== ".") {
          const its = entry(folder);
          if (!isJsonObject(its)) {
            return {
              error: `cd: ${folder}: No such directory. You cannot use path to change directory.`,
            };
          }
          path = [...path, { name: folder, folder: its }];
        }
        return { current_working_directory: path.at(-1)!.name };
      }),
      mkdir: create("dir_name", "mkdir", "create directory", () => ({})),
      touch: create("file_name", "touch", "touch", () => ""),
      echo: method(["content"], { file_name: null }, ({ content = null, file_name: name = null }) => {
        if (name === null || name === "") return { terminal_output: content };
        if (nameless.test(text(name)))
          return { error: `echo: cannot touch '${name}': Invalid character` };
        const its = entry(name);
        if (its === undefined) return { error: `echo: cannot write to '${name}': No such file` };
        if (isJsonObject(its)) throw new Error("'Directory' object has no attribute '_write'");
        here()[text(name)] = content;
        return null;
      }),
      cat: method(["file_name"], {}, ({ file_name: name }) => {
        if (nameless.test(text(name))) return { error: `cat: '${name}': Invalid character` };
        const its = entry(name);
        if (its === undefined) return noFile("cat", name);
        return isJsonObject(its)
          ? { error: `cat: ${name}: Is a directory` }
          : { file_content: its };
      }),
      find: method([], { path: ".", name: null }, ({ path: start, name }) => ({
        matches: found(here(), text(start).replace(/\/+$/, ""), name === null ? "" : text(name)),
      })),
      wc: method(["file_name"], { mode: "l" }, (args) => {
        const { mode, file_name: name } = args;
        const its = modes[String(mode)];
        if (its === undefined) return { error: `wc: invalid mode '${mode}'` };
        const content = fileOf(name);
        return content === null
          ? noFile("wc", name)
          : { count: its.count(content), type: its.type };
      }),
      sort: method(
        ["file_name"],
        {},
        onFile("sort", (content) => ({ sorted_content: linesOf(content).sort().join("\n") })),
      ),
      grep: method(
        ["file_name", "pattern"],
        {},
        onFile("grep", (content, { pattern }) => ({
          matching_lines: linesOf(content).filter((line) => line.includes(text(pattern))),
        })),
      ),
      du: method([], { human_readable: false }, ({ human_readable: isShort }) => ({
        disk_usage: isShort ? shortSize(sizeOf(here())) : `${sizeOf(here())} bytes`,
      })),
      tail: method(
        ["file_name"],
        { lines: 10 },
        onFile("tail", (content, { lines }) => {
          const all = linesOf(content);
          const count = Math.min(number(lines), all.length);
          return { last_lines: (count === 0 ? all : all.slice(-count)).join("\n") };
        }),
      ),
      diff: method(["file_name1", "file_name2"], {}, ({ file_name1: one, file_name2: other }) => {
        const [a, b] = [fileOf(one), fileOf(other)];
        if (a === null || b === null) {
          return { error: `diff: ${one} or ${other}: No such file or directory` };
        }
        const others = linesOf(b);
        const lines = linesOf(a).slice(0, others.length);
        const differing = lines.flatMap((line, i) =>
          line === others[i] ? [] : [`- ${line}\n+ ${others[i]}`],
        );
        return { diff_lines: differing.join("\n") };
      }),
      mv: transfer("mv", "moved"),
      cp: transfer("cp", "copied"),
      rm: method(["file_name"], {}, ({ file_name: name }) => {
        if (entry(name) === undefined)
          return { error: `rm: cannot remove '${name}': No such file or directory` };
        delete here()[text(name)];
        return { result: `'${name}' removed` };
      }),
      rmdir: method(["dir_name"], {}, ({ dir_name: name }) => {
        const its = entry(name);
        const why = `rmdir: cannot remove '${name}'`;
        if (its === undefined) return { error: `${why}: No such file or directory` };
        if (!isJsonObject(its)) return { error: `${why}: Not a directory` };
        if (Object.keys(its).length > 0)
          return { error: `rmdir: failed to remove '${name}': Directory not empty` };
        delete here()[text(name)];
        return { result: `'${name}' removed` };
      }),
    },
  };
};

function folderOf(contents: JsonObject): Folder {
  const entries = Object.entries(contents).map(([name, given]): [string, Json] => {
    const { type, content = "", contents: inner = {} } = object(given);
    return [name, type === "directory" ? folderOf(object(inner)) : structured(content)];
  });
  return Object.fromEntries(entries);
}

/** A file whose content a call set to another value than a text. */
const asText = (content: Json): string => {
  if (typeof content === "string") return content;
  throw new Error("the content of the file is no text");
};

/** As Python's `splitlines`: no empty line at the end. */
function linesOf(content: string): string[] {
  const lines = content.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const modes: Readonly<Record<string, { type: string; count(content: string): number }>> = {
  l: { type: "lines", count: (content) => linesOf(content).length },
  w: { type: "words", count: (content) => content.split(/\s+/).filter(Boolean).length },
  c: { type: "characters", count: (content) => Array.from(content).length },
};

function found(folder: Folder, base: string, part: string): string[] {
  return Object.entries(folder).flatMap(([name, its]) => {
    const path = `${base}/${name}`;
    const below = isJsonObject(its) ? found(its, path, part) : [];
    return name.includes(part) ? [path, ...below] : below;
  });
}

function sizeOf(its: Json): number {
  if (isJsonObject(its)) return Object.values(its).reduce((sum: number, one) => sum + sizeOf(one), 0);
  // Bytes in UTF-8: an unpaired surrogate counts as three.
  return Array.from(asText(its)).reduce((sum, char) => {
    const code = char.codePointAt(0)!;
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
  }, 0);
}

function shortSize(bytes: number): string {
  let size = bytes;
  for (const unit of ["B", "KB", "MB", "GB", "TB"]) {
    if (size < 1024) return `${size.toFixed(2)} ${unit}`;
    size /= 1024;
  }
  return `${size.toFixed(2)} PB`;
}
