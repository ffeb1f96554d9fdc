// Runs a script of the project under the Node version it needs, after installing what is missing.
// Plain JavaScript without dependencies, so that any Node from 20 on can run it on a fresh clone.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed-lockfile");
const ownNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const [script, ...args] = process.argv.slice(2);
requireNode(20);
installIfNeeded();
runScript();

function requireNode(major) {
  const [found] = process.versions.node.split(".").map(Number);
  if (found < major) fail(`Node ${major} or later is needed; this is ${process.versions.node}.`);
}

function installIfNeeded() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  if (isInstalled(lock, wanted)) return;
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      "node_modules is a link to another folder, whose packages don't fit: remove the link and try again.",
    );
  }
  console.error("Installing packages (once, about a minute) …");
  // No package runs a script of its own, except the one that unpacks Node.
  npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  npm("rebuild", "node", "--ignore-scripts=false", "--loglevel=error");
  if (!existsSync(ownNode)) fail("Node could not be unpacked: run npm rebuild node and try again.");
  writeFileSync(stamp, wanted);
}

function npm(...args) {
  const name = process.platform === "win32" ? "npm.cmd" : "npm";
  const shell = process.platform === "win32";
  const result = spawnSync(name, args, {
    cwd: root,
    encoding: "utf8",
    shell,
    env: withoutSecrets(),
  });
  if (result.status !== 0) failInstall(result);
}

/** The environment without what an install has no use for: keys of the service, of judges and of accounts. */
function withoutSecrets() {
  const secret =
    /^(CLOUDFLARE_|ASSAY_|OPENAI_|ANTHROPIC_|HF_TOKEN$|MODEL_API_KEY$|SECRETS_KEY|SIGNING_KEY|OPERATOR_SECRET$|JUDGE_KEY_|SITE_REBUILD_|GITHUB_TOKEN$|AWS_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.test(name)));
}

/** By our own stamp, or by what npm notes down when it is run by hand; then the stamp is made. */
function isInstalled(lock, wanted) {
  if (!existsSync(ownNode)) return false;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  try {
    const { packages } = JSON.parse(lock);
    const notes = readFileSync(join(modules, ".package-lock.json"), "utf8");
    if (!holdsAll(JSON.parse(notes).packages, packages)) return false;
    writeFileSync(stamp, wanted);
    return true;
  } catch {
    return false;
  }
}

/** Whether npm's notes name every package of the lock file; optional ones are not for every system. */
function holdsAll(noted, packages) {
  return Object.entries(packages).every(([path, { version, integrity, ...kind }]) => {
    if (path === "" || kind.optional || kind.devOptional) return true;
    return noted[path]?.version === version && noted[path]?.integrity === integrity;
  });
}

function failInstall(result) {
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}${result.error ?? ""}`;
  if (/EACCES|EPERM|EROFS/.test(output)) {
    fail(`Packages could not be installed: no permission to write in ${root}.`);
  }
  const log = join(root, ".cache", "install.log");
  const reason = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONNRESET/.test(output)
    ? "npm error the package registry can't be reached; check the network and npm's registry setting"
    : output.split("\n").find((line) => /^npm error (?!code)/.test(line));
  try {
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    // What npm says may name a registry with its password; an older log may be there for everybody.
    rmSync(log, { force: true });
    writeFileSync(log, output, { mode: 0o600 });
  } catch {
    fail(`Packages could not be installed: no permission to write in ${root}.`);
  }
  const why = reason?.replace("npm error ", "") ?? "npm failed";
  fail(`Packages could not be installed: ${why} (whole output: ${log}).`);
}

function runScript() {
  const path = `${join(modules, ".bin")}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`;
  const child = spawn(ownNode, [join(root, script), ...args], {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  // The child decides when it is done: a signal only ends this process together with it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
