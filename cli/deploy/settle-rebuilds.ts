import { hasUserInfo } from "#shared/contracts/web-address.ts";
import { BadInput } from "../bad-input.ts";
import type { Questions } from "./questions.ts";
import type { Wrangler } from "./wrangler-client.ts";

interface RebuildTask {
  wrangler: Wrangler;
  config: string;
  questions: Questions;
  tell: (line: string) => void;
}

/** Settles how the Worker has the site rebuilt when results change. False where it was put off. */
export async function settleRebuilds(task: RebuildTask): Promise<boolean> {
  const { questions, tell } = task;
  const way = await questions.choice("How is the site rebuilt when results change?", [
    "By hand, for now: npm run deploy -- --site-only",
    "A workflow of this project on GitHub (.github/workflows/site.yml)",
    "A deploy hook: an address that starts a build, as of Workers Builds",
  ]);
  if (way === 0) return false;
  if (way === 1) {
    const repository = await questions.text("The repository, as owner/name:", "");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
      throw new BadInput(`"${repository}" is no repository: give it as owner/name.`);
    }
    const token = await questions.secret(
      "A token that may write its contents (fine-grained: Contents, read and write):",
    );
    if (token === "") throw new BadInput("GitHub takes no dispatch without a token.");
    await put(task, "SITE_REBUILD_TOKEN", token);
    await put(task, "SITE_REBUILD_HOOK", `https://api.github.com/repos/${repository}/dispatches`);
    return true;
  }
  const hook = await questions.secret("The deploy hook's address, https://…:");
  // Not quoted: who knows it can start builds.
  if (!URL.canParse(hook) || new URL(hook).protocol !== "https:") {
    throw new BadInput("That is no address with https.");
  }
  if (hasUserInfo(hook)) {
    throw new BadInput("A hook's address takes no user name or password: give it without.");
  }
  await put(task, "SITE_REBUILD_HOOK", hook);
  tell("  The site is rebuilt at most once an hour (REBUILD_INTERVAL_MS)");
  return true;
}

const put = async ({ wrangler, config, tell }: RebuildTask, name: string, value: string) => {
  await wrangler.run(`Setting ${name}`, ["secret", "put", name, "--config", config], value);
  tell(`  ${name} is set`);
};
