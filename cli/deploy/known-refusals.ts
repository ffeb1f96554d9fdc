interface Refusal {
  /** In what wrangler prints. */
  said: RegExp;
  advice: string;
}

/** Refusals of Cloudflare that its own words do not explain to whoever deploys this. */
const refusals: readonly Refusal[] = [
  {
    said: /code: 10042\]|enable R2/i,
    advice:
      "R2 has to be switched on once in Cloudflare's dashboard (R2 object storage), which asks for a card even where nothing is charged. Then run the same command again.",
  },
  {
    said: /code: 100328\]/,
    advice: "The account is on the Free plan: run the same command with --plan free.",
  },
  {
    said: /workers\.dev subdomain/i,
    advice:
      "Choose the account's workers.dev subdomain once in Cloudflare's dashboard (Workers & Pages), or give --domain. Then run the same command again.",
  },
  {
    said: /code: (?:10000|9109)\]|Authentication error|Unable to authenticate/i,
    advice:
      "The login or API token may not do this. A token needs Edit on Workers Scripts, D1, Workers R2 Storage and Queues, and Read on Account Settings.",
  },
  {
    said: /maximum number of D1 databases|code: 7406\]/i,
    advice: "The account has no room for another D1 database: delete one, or upgrade its plan.",
  },
];

/** What to do about a refusal that is known; null for any other. */
export const adviceOn = (text: string): string | null =>
  refusals.find(({ said }) => said.test(text))?.advice ?? null;
