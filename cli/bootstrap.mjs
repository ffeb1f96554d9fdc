// Runs a script of the project under the Node version it needs, after installing what is missing.
// Plain JavaScript without dependencies, so that any Node from 20 on can run it on a fresh clone.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const ownNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/** Interval of checks whether the processes that started this one still exist. */
const WATCH_MS = 500;
/** How long an installation of packages may take to stop after a signal. */
const GRACE_MS = 3_000;

// Node flags may come before the script.
const given = process.argv.slice(2);
const at = given.findIndex((one) => !one.startsWith("-"));
const [flags, script, args] = [given.slice(0, at), given[at], given.slice(at + 1)];

/** The running child, which ends together with this process. */
let child = null;
/** Ends the child: first with a signal, then by force. */
let stop = () => process.exit(1);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
watchStarters();

requireNode(20);
await installIfNeeded();
runScript();

/**
 * npm forwards SIGTERM only to its shell, which does not forward it, and never forwards SIGHUP. So both signals are
 * detected by the end of npm or its shell.
 */
function watchStarters() {
  if (process.platform === "win32" || process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", `${ppid}`], { encoding: "utf8" });
  const [parent, name = ""] = (stdout ?? "").trim().split(/\s+/);
  const isShell = /(^|\/)(ba|da|z|k)?sh$/.test(name) && Number(parent) > 1;
  const timer = setInterval(() => {
    if (process.ppid === ppid && (!isShell || lives(Number(parent)))) return;
    clearInterval(timer);
    stop("SIGTERM");
  }, WATCH_MS);
  timer.unref();
}

function lives(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function requireNode(major) {
  const [found] = process.versions.node.split(".").map(Number);
  if (found < major) fail(`Node ${major} or later is needed; this is ${process.versions.node}.`);
}

async function installIfNeeded() {
  if (isInstalled()) return;
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      "node_modules is a link to another folder, whose packages don't fit: remove the link and try again.",
    );
  }
  console.error("Installing packages (once, about a minute) …");
  // No package runs install scripts, except the one that unpacks Node.
  await npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  await npm("rebuild", "node", "--ignore-scripts=false", "--loglevel=error");
  if (!existsSync(ownNode)) fail("Node could not be unpacked: run npm rebuild node and try again.");
}

/** The environment without secrets that an install does not need: keys of the service, of judges and of accounts. */
function withoutSecrets() {
  const secret =
    /^(CLOUDFLARE_|ASSAY_|OPENAI_|ANTHROPIC_|HF_TOKEN$|MODEL_API_KEY$|SECRETS_KEY|SIGNING_KEY|OPERATOR_SECRET$|JUDGE_KEY_|SITE_REBUILD_|ALERT_WEBHOOK_|GITHUB_TOKEN$|AWS_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.test(name)));
}

/** Runs npm in its own process group, so that none of its children outlives this process. */
async function npm(...options) {
  const isWindows = process.platform === "win32";
  child = spawn(isWindows ? "npm.cmd" : "npm", options, {
    cwd: root,
    env: withoutSecrets(),
    shell: isWindows,
    detached: !isWindows,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  stop = () => {
    stop = () => {};
    console.error("Stopped while packages were installed; the next start installs them.");
    endGroup(pid, "SIGTERM");
    setTimeout(() => endGroup(pid, "SIGKILL"), GRACE_MS);
    child.once("close", () => {
      endGroup(pid, "SIGKILL");
      process.exit(1);
    });
  };
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output += chunk));
  const status = await new Promise((resolve) => {
    child.once("close", resolve);
    child.once("error", (error) => {
      output += error;
      resolve(1);
    });
  });
  if (status !== 0) failInstall(output);
}

function endGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // The process has already ended.
  }
}

/** Checks the file that npm writes last, after it has installed everything. */
function isInstalled() {
  if (!existsSync(ownNode)) return false;
  const packagesOf = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  try {
    return holdsAll(
      packagesOf(join(modules, ".package-lock.json")),
      packagesOf(join(root, "package-lock.json")),
    );
  } catch {
    return false;
  }
}

/** Whether npm's list of installed packages has every package of the lock file; optional ones may be for other systems. */
function holdsAll(noted, packages) {
  return Object.entries(packages).every(([path, { version, integrity, ...kind }]) => {
    if (path === "" || kind.optional || kind.devOptional) return true;
    return noted[path]?.version === version && noted[path]?.integrity === integrity;
  });
}

function failInstall(output) {
  if (/EACCES|EPERM|EROFS/.test(output)) {
    fail(`Packages could not be installed: no permission to write in ${root}.`);
  }
  const log = join(root, ".cache", "install.log");
  const reason = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONNRESET/.test(output)
    ? "npm error the package registry can't be reached; check the network and npm's registry setting"
    : output.split("\n").find((line) => /^npm error (?!code)/.test(line));
  try {
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    // npm's output may contain a registry's password; an older log may be readable by everybody.
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
  child = spawn(ownNode, [...flags, join(root, script), ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: path,
      // Caches compiled code, which saves half a second per start and 40 MB.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, ".cache", "compiled"),
      // Otherwise each thread has its own memory pool (glibc), which takes 25 MB more.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
      // Otherwise the process keeps 190 MB that it has freed after the start.
      MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? "131072",
      ASSAY_STARTED_BY: `${process.pid}`,
    },
  });
  // The child decides when to end: a signal ends this process together with it.
  stop = (signal) => {
    // A terminal sends Ctrl-C to both processes.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
