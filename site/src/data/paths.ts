/** Paths of this site's pages; every link goes through here. */
export const paths = {
  leaderboards: "/leaderboards/",
  /** The board of an account's own runs, or a private parity, from the API. */
  ownResults: "/leaderboards/own/",
  methodology: "/methodology/",
  statistics: "/methodology/statistics/",
  certainty: "/methodology/certainty/",
  docs: "/docs/",
  /** The calls of a resource of the API. */
  resource: (slug: string) => `/docs/${slug}/`,
  /** Schemas that several resources use. */
  schemas: "/docs/schemas/",
  breakdowns: "/docs/breakdowns/",
  guides: "/guides/",
  guide: (slug: string) => `/guides/${encodeURIComponent(slug)}/`,
  /** A picture in the folder `docs`. */
  picture: (file: string) => `/guides/pictures/${file}`,
  /** Index of the site for language models. */
  llms: "/llms.txt",
  commands: "/commands/",
  command: (slug: string) => `/commands/${encodeURIComponent(slug)}/`,
  submit: "/submit/",
  account: "/account/",
  terms: "/terms/",
  privacy: "/privacy/",
  /** Organisations of the signed-in person. */
  organisations: "/account/organisations/",
  compare: "/compare/",
  /** Renders any run from the API. */
  viewer: "/run/",
  /** Every sample of any run, from the API. */
  samples: "/run/samples/",
  /** The page where people rate the answers of runs. */
  rate: "/run/rate/",
  /** The page where readers report a run to the operator. */
  reportRun: (id: string) => `/run/report/?id=${encodeURIComponent(id)}`,
  operate: "/operate/",
  datasets: "/datasets/",
  /** Checks and uploads a dataset. */
  addDataset: "/datasets/add/",
  dataset: (suite: string, name: string) =>
    `/datasets/${encodeURIComponent(suite)}/${encodeSlug(name)}/`,
  changelog: "/changelog/",
  republished: "/changelog/#republished",
  security: "/security/",
  reliability: "/reliability/",
  performance: "/performance/",
  feed: "/feed.xml",
  datasetFeed: (suite: string, dataset: string) =>
    `/feeds/${encodeURIComponent(suite)}/${encodeURIComponent(feedFileName(dataset))}.xml`,
  suite: (id: string) => `/methodology/${encodeURIComponent(id)}/`,
  metric: (suite: string, metric: string) =>
    `/methodology/${encodeURIComponent(suite)}/#${metricAnchor(metric)}`,
  judges: (suite: string) => `/methodology/${encodeURIComponent(suite)}/#${judgesAnchor}`,
  canaries: (suite: string) => `/methodology/${encodeURIComponent(suite)}/#${canariesAnchor}`,
  model: (slug: string) => `/models/${encodeSlug(slug)}/`,
  run: (id: string) => `/runs/${encodeURIComponent(id)}/`,
  samplesOf: (run: string) => `/runs/${encodeURIComponent(run)}/samples/`,
  view: (suite: string, view: string, dataset: string) =>
    `/views/${encodeURIComponent(suite)}/${encodeURIComponent(view)}/${encodeSlug(dataset)}/`,
  /** `tag` as returned by `tagSlug`. */
  tag: (suite: string, tag: string, dataset: string) =>
    `/tags/${encodeURIComponent(suite)}/${encodeURIComponent(tag)}/${encodeSlug(dataset)}/`,
  /** A page of a board's table after the first, counted from 2. */
  tablePage: (board: string, part: number) => `/boards/${encodeURIComponent(board)}/${part}/`,
  /** A board for embedding in other sites. */
  embed: (suite: string, dataset: string) =>
    `/boards/embed/${encodeURIComponent(suite)}/${encodeSlug(dataset)}/`,
  /** The comparison of a board's first two models. */
  comparison: (suite: string, dataset: string) =>
    `/compare/${encodeURIComponent(suite)}/${encodeSlug(dataset)}/`,
  /** Picture of a result, shown where its page is shared. `id`: id of the run or board, or a model's slug. */
  card: (kind: "runs" | "boards" | "models" | "compare", id: string) =>
    `/boards/cards/${kind}/${encodeSlug(id)}.png`,
  search: "/search/",
  parities: "/parity/",
  parity: (name: string) => `/parity/${encodeSlug(name)}/`,
  sweeps: "/sweeps/",
  sweep: (submission: string, metric?: string) =>
    `/sweeps/${encodeURIComponent(submission)}/${metric === undefined ? "" : `${encodeURIComponent(metric)}/`}`,
  error: (type: string) => `/errors/${encodeURIComponent(type)}/`,
};

/** Size of a page's picture, px: what most networks recommend. */
export const cardSize = { width: 1200, height: 630 };

/** The picture of pages without a result of their own. */
export const siteCardPath = "/boards/cards/site.png";

/** A page's text as Markdown, for pages that `llms.txt` lists. */
export const markdownPath = (page: string): string => page.replace(/\/$/, ".md");

// A suite's own text may have headings "Judges" and "Canaries".
export const judgesAnchor = "judges-by-metric";
export const canariesAnchor = "canaries-measured";
export const promptAnchor = "standard-prompt";
export const rowsAnchor = "rows";

export const metricAnchor = (metric: string): string => `metric-${metric}`;

/** `owner/name` with each part encoded and the slash kept. */
export const encodeSlug = (slug: string): string =>
  slug.split("/").map(encodeURIComponent).join("/");

/** A dataset's name as one part of a path: no name has a tilde, and no file is also a folder. */
export const feedFileName = (dataset: string): string => dataset.replace("/", "~");
