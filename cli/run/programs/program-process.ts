import { type ChildProcess, spawn } from "node:child_process";
import { cutText } from "#shared/contracts/bounds.ts";
import { isJsonObject, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { quoted, TargetFailure, withoutSecrets } from "./target-failure.ts";

/** Maximum length of a line that a program writes. */
const MAX_LINE_BYTES = 4 << 20;
/** Stored characters from the end of standard error, for messages. */
const TAIL = 300;
/** Maximum length of a command in a message. */
const MOST_COMMAND = 80;
/** How long to wait for the rest of standard error after a program has ended. */
const REST_MS = 200;
const NEWLINE = 0x0a;

/** How to run a program. */
export interface ProgramSpec {
  /** Shell command. */
  command: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Values that messages must not contain. */
  secrets: readonly string[];
}

interface Open {
  resolve(answer: JsonObject): void;
  reject(failure: TargetFailure): void;
}

/** A running program, which leads its own process group. */
export class ProgramProcess {
  readonly #spec: ProgramSpec;
  readonly #child: ChildProcess;
  /** Unanswered requests by id. */
  readonly #open = new Map<string, Open>();
  #answered = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #tail = "";
  #ended: string | null = null;
  /** Resolves with the way it ended. */
  readonly end: Promise<string>;
  /** Whether it ended normally after its answer, like a program for a single line. */
  isDone = false;
  /** Whether it is being killed and gets no more lines. */
  isGivenUp = false;

  constructor(spec: ProgramSpec) {
    this.#spec = spec;
    this.#child = spawn(spec.command, {
      shell: true,
      cwd: spec.folder,
      env: spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    // A program that ends early does not read its input to the end.
    stdin?.on("error", () => {});
    stdout?.on("data", (chunk: Buffer) => this.#take(chunk));
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#tail = (this.#tail + text).slice(-2 * TAIL);
    });
    this.end = new Promise((resolve) => {
      const settle = (how: string) => {
        this.#ended ??= this.withTail(how);
        this.#failAll(500, this.#ended);
        resolve(this.#ended);
      };
      this.#child.once("error", (error) => settle(`could not be started: ${error.message}`));
      this.#child.once("exit", (code, signal) => {
        this.isDone = code === 0 && this.#answered > 0;
        const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        // Child processes may keep its streams open.
        const timer = setTimeout(() => settle(how), REST_MS);
        this.#child.once("close", () => {
          clearTimeout(timer);
          settle(how);
        });
      });
    });
  }

  /** Whether it can receive lines. */
  get isUsable(): boolean {
    return this.#ended === null && !this.isGivenUp;
  }

  /** Number of unanswered requests. */
  get busy(): number {
    return this.#open.size;
  }

  /** Sends a line. Rejects with a `TargetFailure`. */
  ask(id: string, line: JsonObject): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(new TargetFailure(500, this.#ended));
      this.#open.set(id, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...line })}\n`);
    });
  }

  /** Abandons a request; a late answer is ignored. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Adds the end of standard error to a message. */
  withTail(message: string): string {
    const output = withoutSecrets(this.#tail, this.#spec.secrets).trim();
    const tail = output.length > TAIL ? `…${output.slice(-TAIL)}` : output;
    return this.#named(`${message}${tail === "" ? "" : `; standard error ends with: ${tail}`}`);
  }

  #named(message: string): string {
    const { command, secrets } = this.#spec;
    return `${cutText(withoutSecrets(command, secrets), MOST_COMMAND)} ${message}`;
  }

  /** Kills the program and its child processes. */
  giveUp(): void {
    this.isGivenUp = true;
    this.signal("SIGKILL");
  }

  /** Closes its input after the last line. */
  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Sends a signal to the program and its child processes. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch {
      // The process group no longer exists.
    }
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#rest.push(chunk.subarray(from, at));
      const line = Buffer.concat(this.#rest).toString("utf8").trim();
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
      if (line !== "") this.#read(line);
    }
    const rest = chunk.subarray(from);
    this.#rest.push(rest);
    this.#restBytes += rest.length;
    if (this.#restBytes <= MAX_LINE_BYTES) return;
    this.#rest = [];
    this.#restBytes = 0;
    const most = MAX_LINE_BYTES >> 20;
    this.#failAll(413, this.#named(`wrote a line of more than ${most} MB`));
    this.giveUp();
  }

  #read(line: string): void {
    const answer = parsedJson(line);
    if (!isJsonObject(answer)) {
      const what = `wrote a line that is not a JSON object: ${quoted(withoutSecrets(line, this.#spec.secrets))}; standard output is for answers, standard error for anything else`;
      this.#violated(what);
      return;
    }
    // If only one line is open, an answer without id is for that line.
    const [only] = this.#open.size === 1 ? this.#open.keys() : [];
    const id = answer["id"] === undefined ? only : String(answer["id"]);
    const open = this.#open.get(id ?? "");
    if (open !== undefined) {
      this.#open.delete(id ?? "");
      this.#answered += 1;
      open.resolve(answer);
      return;
    }
    if (isOfEarlier(id)) return;
    const named =
      id === undefined ? "an answer without id" : `an answer to the unknown id ${quoted(id)}`;
    this.#violated(`wrote ${named}: repeat the id of the line`);
  }

  /**
   * Kills the program after invalid output, since its next answers cannot be trusted. Output before any line is
   * ignored.
   */
  #violated(how: string): void {
    if (this.#open.size === 0) return;
    this.#failAll(502, this.#named(how));
    this.giveUp();
  }

  #failAll(status: number, message: string): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(new TargetFailure(status, message));
  }
}

/** Ids of lines are consecutive numbers over all processes, so a known number that is not open was abandoned. */
let lastId = 0;

/** The id of the next line. */
export function nextId(): string {
  lastId += 1;
  return `${lastId}`;
}

const isOfEarlier = (id: string | undefined): boolean =>
  id !== undefined && /^\d{1,15}$/.test(id) && Number(id) <= lastId;
