import { z } from "zod";
import { parsedJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import type { Questions } from "./questions.ts";
import type { Wrangler } from "./wrangler-client.ts";

const whoSchema = z.object({
  loggedIn: z.boolean(),
  email: z.string().nullish(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** An account that the login or token may use. */
export interface Account {
  id: string;
  name: string;
}

/** The account to deploy to. Throws BadInput without a login, or without a choice. */
export async function chooseAccount(
  wanted: string | null,
  wrangler: Wrangler,
  questions: Questions,
): Promise<Account> {
  const accounts = await accountsOf(wrangler);
  const found = accounts.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  if (wanted !== null) {
    throw new BadInput(
      `The login has no account ${wanted}. Its accounts:\n${accounts.map(lineOf).join("\n")}`,
    );
  }
  const at = await questions.choice(
    "Which account? Give it with --account ID.",
    accounts.map(({ name, id }) => `${name} (${id})`),
  );
  return accounts[at]!;
}

async function accountsOf(wrangler: Wrangler): Promise<Account[]> {
  const output = await wrangler.ask("Reading the login", ["whoami", "--json"], /^/);
  const who = whoSchema.safeParse(parsedJson(output ?? ""));
  if (!who.success || !who.data.loggedIn) {
    throw new BadInput(
      "Not logged in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN. Then run the same command again.",
    );
  }
  if (who.data.accounts.length > 0) return who.data.accounts;
  throw new BadInput(
    "The API token shows no account: give it Read on Account Settings, or name the account with --account.",
  );
}

const lineOf = ({ name, id }: Account) => `  ${id}  ${name}`;
