/** Paths of this site's pages; every link goes through here. */
export const paths = {
  leaderboards: "/leaderboards/",
  methodology: "/methodology/",
  statistics: "/methodology/statistics/",
  docs: "/docs/",
  security: "/security/",
  reliability: "/reliability/",
  feed: "/feed.xml",
  suite: (id: string) => `/methodology/${encodeURIComponent(id)}/`,
  metric: (suite: string, metric: string) =>
    `/methodology/${encodeURIComponent(suite)}/#${metricAnchor(metric)}`,
  judges: (suite: string) => `/methodology/${encodeURIComponent(suite)}/#${judgesAnchor}`,
  canaries: (suite: string) => `/methodology/${encodeURIComponent(suite)}/#${canariesAnchor}`,
  model: (slug: string) => `/models/${encodeSlug(slug)}/`,
  run: (id: string) => `/runs/${encodeURIComponent(id)}/`,
  sweeps: "/sweeps/",
  sweep: (submission: string, metric?: string) =>
    `/sweeps/${encodeURIComponent(submission)}/${metric === undefined ? "" : `${encodeURIComponent(metric)}/`}`,
  error: (type: string) => `/errors/${encodeURIComponent(type)}/`,
};

// A suite's own text may have headings "Judges" and "Canaries".
export const judgesAnchor = "judges-by-metric";
export const canariesAnchor = "canaries-measured";

export const metricAnchor = (metric: string): string => `metric-${metric}`;

/** `owner/name` with each part encoded and the slash kept. */
export const encodeSlug = (slug: string): string =>
  slug.split("/").map(encodeURIComponent).join("/");
