/** What an account on Cloudflare's Free plan is in for, in words for whoever is about to deploy. */
export const freePlanLimits: readonly string[] = [
  "10 ms of CPU time an invocation: scoring long documents, boards with many models and comparisons fail.",
  "50 database queries and 50 calls to endpoints an invocation: runs stay under some hundred samples.",
  "10,000 queue operations a day: about 1,600 judged samples, or 50,000 that no model judges.",
  "Messages wait for 24 hours at most: a run that is paused for longer is found by the cron job alone.",
  "100,000 rows written to D1 a day, 500 MB a database, and 7 days back in time.",
  "100,000 requests a day, pages of the site included, since the API's Worker hands them out.",
  "20,000 files a site: datasets, boards and models come first; the rest is for runs, and other runs are drawn from the API.",
  "5 cron triggers an account, of which this takes one.",
];

/** What every account needs before it begins. */
export const accountNeeds: readonly string[] = [
  "R2 switched on in the dashboard, which asks for a card even where nothing is charged.",
  "A workers.dev subdomain, or a domain of the account with --domain.",
];
