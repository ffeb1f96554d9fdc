import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { BadInput } from "../errors.ts";

/** Uses defaults; a question without a default must be answered by a flag or the environment. */
export const noQuestions: Questions = {
  isAttended: false,
  text: async (_, usual) => usual,
  secret: async () => "",
  confirm: async (_, usual) => usual,
  choice: async (question, choices) => {
    if (choices.length === 1) return 0;
    throw new BadInput(
      `${question} There are several:\n${choices.map((one) => `  ${one}`).join("\n")}`,
    );
  },
};

/** Asks the user, or uses the defaults. */
export interface Questions {
  /** Whether there is a user to ask, and to show secrets to. */
  readonly isAttended: boolean;
  text(question: string, usual: string): Promise<string>;
  /** The input is not shown; empty if nothing was typed. */
  secret(question: string): Promise<string>;
  /** `usual`: the answer for Enter, and without a user. */
  confirm(question: string, usual: boolean): Promise<boolean>;
  choice(question: string, choices: readonly string[]): Promise<number>;
}

/** Asks in this terminal. */
export function terminalQuestions(): Questions {
  const text = async (question: string, usual: string) =>
    (await line(`${question} [${usual}] `, false)).trim() || usual;
  return {
    isAttended: true,
    text,
    secret: async (question) => (await line(`${question} `, true)).trim(),
    confirm: async (question, usual) => {
      const answer = await line(`${question} ${usual ? "[Y/n]" : "[y/N]"} `, false);
      return answer.trim() === "" ? usual : /^y(es)?$/i.test(answer.trim());
    },
    choice: async (question, choices) => {
      console.log(`${question}\n${choices.map((one, i) => `  ${i + 1}  ${one}`).join("\n")}`);
      for (;;) {
        const number = Number(await text("Which one?", "1"));
        if (Number.isInteger(number) && number >= 1 && number <= choices.length) return number - 1;
        console.log(`Enter a number from 1 to ${choices.length}.`);
      }
    },
  };
}

function line(question: string, isHidden: boolean): Promise<string> {
  let isMuted = false;
  const output = new Writable({
    write(chunk, encoding, done) {
      if (!isMuted) process.stdout.write(chunk, encoding);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  return new Promise((resolve) => {
    // Ctrl-C goes to the listeners of the process.
    reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    reader.question(question, (answer) => {
      reader.close();
      if (isHidden) process.stdout.write("\n");
      resolve(answer);
    });
    isMuted = isHidden;
  });
}
