/** Limits of Cloudflare's Free plan, for readers who are about to deploy. */
export const freePlanLimits: readonly string[] = [
  "10 ms of CPU time an invocation, and more only now and then. A sample takes about 0.9 ms of JavaScript, and an invocation sends up to 40 requests, so ordinary runs can exceed it, as can long documents, large boards and comparisons.",
  "For the same reason, runs of more than 1,000 samples, comparisons of more than 2,000 samples in all runs, and boards of more than 200 models, 50 of one account, are refused.",
  "50 database queries and 50 calls to endpoints an invocation: work is split, each step of the cron job runs every third minute, and conversations of more than 10 sessions are refused.",
  "10,000 queue operations a day, that is 3,300 messages. In the rehearsal, a run of 300 submitted answers and one of 300 requests together took 340 to 484 operations, by load (6,000 to 9,000 requests a day), a judged run of 2,220 requests 228 (about 97,000 a day).",
  "Messages wait for at most 24 hours: only the cron job finds a run that is paused for longer.",
  "100,000 rows written to D1 a day, 500 MB a database, and 7 days of point-in-time restore.",
  "100,000 requests a day, pages of the site included, because the API's Worker serves them.",
  "20,000 files a site, of which a deployment uses 4,000 (ASSAY_SITE_FILES): datasets, boards and models come first; the rest is for runs, and other runs are drawn from the API.",
  "5 cron triggers an account, one of which Assay uses.",
];

/** Requirements for every account. */
export const accountNeeds: readonly string[] = [
  "R2 enabled in the dashboard, which requires a payment card even if nothing is charged.",
  "A workers.dev subdomain, or a domain of the account with --domain.",
];
