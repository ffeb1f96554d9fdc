import { type Command, command } from "../command-line/command.ts";
import { completionScript, shells } from "../command-line/completion.ts";

/** `assay completion`: prints a completion script for a shell. `commands`: those that it completes. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: "completion",
    summary: "print a completion script for bash, zsh or fish",
    description: [
      "Prints a script that completes commands, flags, their values and file names. It calls no service and does not start assay.",
    ],
    positionals: [{ name: "shell", help: "Shell of the script", choices: shells }],
    flags: {},
    examples: [
      "source <(assay completion bash)   # in ~/.bashrc",
      "source <(assay completion zsh)    # in ~/.zshrc, after compinit",
      "assay completion fish | source    # in ~/.config/fish/config.fish",
    ],
    async run(_, [shell], { stdout }) {
      stdout.write(completionScript(shell, commands()));
    },
  });
