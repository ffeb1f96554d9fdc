import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import {
  bytesIn,
  FileTree,
  folderOf,
  isWrongName,
  linesOf,
  pathsIn,
  shortSize,
} from "./file-tree.ts";
import { method, number, object, type Run, type SimulatedClass, text } from "./simulated.ts";

/** BFCL's `GorillaFileSystem`: folders and files. The current folder is not part of its public state. */
export const fileSystem: SimulatedClass = (config) => {
  const [[name, given] = ["/", null]] = Object.entries(object(config["root"] ?? {}));
  const contents = given === null ? {} : folderOf(object(object(given)["contents"]));
  const tree = new FileTree(name, contents);
  return {
    state: { root: { name, contents } },
    methods: { ...lookingMethods(tree), ...readingMethods(tree), ...changingMethods(tree) },
  };
};

function lookingMethods(tree: FileTree) {
  return {
    pwd: method([], {}, () => ({ current_working_directory: `/${tree.names.join("/")}` })),
    ls: method([], { a: false }, ({ a }) => {
      const shown = Object.keys(tree.here).filter((name) => a || !name.startsWith("."));
      return { current_directory_content: shown };
    }),
    cd: method(["folder"], {}, ({ folder }) =>
      entered(tree, text(folder).replace(/\/+$/, "") || "/"),
    ),
    find: method([], { path: ".", name: null }, ({ path, name }) => {
      const found = tree.folderAt(text(path));
      if (found === null) return { error: `find: '${path}': No such file or directory` };
      const base = text(path).replace(/\/+$/, "");
      const part = name === null ? "" : text(name);
      return { matches: pathsIn(found.at(-1)!.folder, base, part, tree.seen) };
    }),
    du: method([], { human_readable: false }, ({ human_readable: isShort }) => {
      const bytes = bytesIn(tree.here, tree.seen);
      return { disk_usage: isShort ? shortSize(bytes) : `${bytes} bytes` };
    }),
  };
}

function entered(tree: FileTree, folder: string): JsonObject {
  if (folder !== "/" && folder.includes("/")) {
    const why = "Unsupported path. Only one folder level at a time is supported.";
    return { error: `cd: ${folder}: ${why}` };
  }
  if (folder === "..") {
    if (tree.isAtRoot) return { error: "Current directory is already the root. Cannot go back." };
    tree.up();
    return {};
  }
  const found = tree.folderAt(folder);
  if (found === null) return { error: `cd: '${folder}': No such file or directory` };
  tree.enter(found);
  return { current_working_directory: found.at(-1)!.name };
}

const modes: Readonly<Record<string, { type: string; count(content: string): number }>> = {
  l: { type: "lines", count: (content) => linesOf(content).length },
  w: { type: "words", count: (content) => content.split(/\s+/).filter(Boolean).length },
  c: { type: "characters", count: (content) => Array.from(content).length },
};

const noFile = (command: string, name: Json | undefined) => ({
  error: `${command}: ${name}: No such file or directory`,
});

function readingMethods(tree: FileTree) {
  const onFile =
    (command: string, run: (content: string, args: JsonObject) => Json): Run =>
    (args) => {
      const content = tree.file(args["file_name"]);
      return content === null ? noFile(command, args["file_name"]) : run(content, args);
    };
  const wordCount: Run = (args) => {
    const its = modes[String(args["mode"])];
    if (its === undefined) return { error: `wc: invalid mode '${args["mode"]}'` };
    const { type, count } = its;
    return onFile("wc", (content) => ({ count: count(content), type }))(args);
  };
  return {
    cat: method(["file_name"], {}, ({ file_name: name }) => {
      if (isWrongName(text(name))) return { error: `cat: '${name}': Invalid character` };
      const its = tree.entry(name);
      if (its === undefined) return noFile("cat", `'${name}'`);
      return isJsonObject(its)
        ? { error: `cat: '${name}': Is a directory` }
        : { file_content: its };
    }),
    wc: method(["file_name"], { mode: "l" }, wordCount),
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
      const [a, b] = [tree.file(one), tree.file(other)];
      if (a === null || b === null) return noFile("diff", `${one} or ${other}`);
      const others = linesOf(b);
      const lines = linesOf(a).slice(0, others.length);
      const differing = lines.flatMap((line, i) =>
        line === others[i] ? [] : [`- ${line}\n+ ${others[i]}`],
      );
      return { diff_lines: differing.join("\n") };
    }),
  };
}

function changingMethods(tree: FileTree) {
  const create = (key: string, command: string, value: () => Json) =>
    method([key], {}, (args) => {
      const name = text(args[key]);
      if (isWrongName(name)) return { error: `${command} '${name}': Invalid character` };
      if (tree.entry(name) !== undefined) return { error: `${command} '${name}': File exists` };
      tree.here[name] = tree.copy(value());
      return null;
    });
  return {
    mkdir: create("dir_name", "mkdir: cannot create directory", () => ({})),
    touch: create("file_name", "touch: cannot touch", () => ""),
    echo: method(["content"], { file_name: null }, ({ content = null, file_name: name = null }) => {
      if (name === null || name === "") return { terminal_output: content };
      const why = `echo: cannot write to '${name}'`;
      if (isWrongName(text(name))) return { error: `${why}: Invalid character` };
      const its = tree.entry(name);
      if (its === undefined) return { error: `${why}: No such file` };
      if (isJsonObject(its)) throw new Error("'Directory' object has no attribute '_write'");
      tree.here[text(name)] = tree.copy(content);
      return null;
    }),
    mv: method(["source", "destination"], {}, (args) => transferred(tree, "mv", args)),
    cp: method(["source", "destination"], {}, (args) => transferred(tree, "cp", args)),
    rm: method(["file_name"], {}, ({ file_name: name }) => {
      if (tree.entry(name) === undefined)
        return { error: `rm: cannot remove '${name}': No such file or directory` };
      delete tree.here[text(name)];
      return { result: `'${name}' removed` };
    }),
    rmdir: method(["dir_name"], {}, ({ dir_name: name }) => {
      const its = tree.entry(name);
      const why = `rmdir: cannot remove '${name}'`;
      if (its === undefined) return { error: `${why}: No such file or directory` };
      if (!isJsonObject(its)) return { error: `${why}: Not a directory` };
      if (Object.keys(its).length > 0) return { error: `${why}: Directory not empty` };
      delete tree.here[text(name)];
      return { result: `'${name}' removed` };
    }),
  };
}

const verbs = { mv: ["move", "moved"], cp: ["copy", "copied"] } as const;

function transferred(tree: FileTree, command: "mv" | "cp", args: JsonObject): JsonObject {
  const [source, destination] = [text(args["source"]), text(args["destination"])];
  const [verb, done] = verbs[command];
  const why = `${command}: cannot ${verb} '${source}'`;
  const item = tree.entry(source);
  if (item === undefined) return { error: `${why}: No such file or directory` };
  if (destination.includes("/")) {
    const only = "Provide only a file or directory name.";
    return { error: `${command}: path not allowed in destination. ${only}` };
  }
  const target = tree.entry(destination);
  if (target === undefined) {
    place(tree, command, source, { within: tree.here, name: destination });
    return { result: `'${source}' ${done} to '${destination}'` };
  }
  if (!isJsonObject(target)) return { error: `${why} to '${destination}': Not a directory` };
  const path = `${destination}/${source}`;
  if (command === "mv" && target === item)
    return { error: `mv: cannot move '${source}' to a subdirectory of itself, '${path}'` };
  if (Object.hasOwn(target, source)) {
    if (command === "mv") return { error: `${why} to '${path}': File exists` };
    throw new Error(`'${source}' already exists in directory '${destination}'.`);
  }
  place(tree, command, source, { within: target, name: source });
  return { result: `'${source}' ${done} to '${path}'` };
}

/** BFCL's copies share their subfolders; ours are deep copies, so that no tree contains itself. */
function place(
  tree: FileTree,
  command: "mv" | "cp",
  source: string,
  { within, name }: { within: JsonObject; name: string },
): void {
  const item = tree.entry(source)!;
  if (command === "cp") {
    within[name] = tree.copy(item);
    return;
  }
  tree.checkDepth(item);
  delete tree.here[source];
  within[name] = item;
}
