import { execFile } from "node:child_process";

const EVERY_MS = 3_000;

/** Watches how much memory the runtime takes: the most that its processes held at once, MB. */
export class MemoryWatch {
  peakMb = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(groups: () => readonly number[]) {
    this.#timer = setInterval(() => this.#look(new Set(groups())), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(groups: ReadonlySet<number>): void {
    execFile("ps", ["-eo", "pgid=,rss=,comm="], (error, output) => {
      if (error) return;
      const mb = output.split("\n").reduce((sum, line) => {
        const [group, kilobytes, command] = line.trim().split(/\s+/);
        const isOurs = groups.has(Number(group)) && command?.includes("workerd");
        return isOurs ? sum + Number(kilobytes) / 1024 : sum;
      }, 0);
      this.peakMb = Math.max(this.peakMb, mb);
    });
  }
}
