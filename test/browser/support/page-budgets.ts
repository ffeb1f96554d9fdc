/** What a page of a kind may weigh, bytes. */
export interface PageBudget {
  kind: string;
  /** Its path, without a slash at its start. */
  pages: RegExp;
  /** HTML as it is, which the browser has to lay out. */
  html: number;
  /** HTML as it is sent. */
  htmlGzip: number;
  /** Scripts as they are sent, with all that they import. */
  scriptsGzip: number;
}

/** A page belongs to the first that fits. They hold for boards of a hundred models, too. */
const budgets: readonly PageBudget[] = [
  aBudget("home", /^index\.html$/, 60, 10, 30),
  aBudget("samples", /^runs\/[^/]+\/samples\//, 60, 12, 125),
  aBudget("report", /^runs\//, 180, 30, 30),
  aBudget("board", /^(leaderboards|boards|views|tags)\//, 300, 40, 30),
  aBudget("app", /^(compare|run|submit|datasets\/add)\//, 60, 10, 135),
  aBudget("API reference", /^docs\//, 260, 40, 30),
  aBudget("other", /^/, 150, 30, 30),
];

function aBudget(
  kind: string,
  pages: RegExp,
  html: number,
  htmlGzip: number,
  scriptsGzip: number,
): PageBudget {
  const kB = 1_000;
  return {
    kind,
    pages,
    html: html * kB,
    htmlGzip: htmlGzip * kB,
    scriptsGzip: scriptsGzip * kB,
  };
}

export const pageKinds = budgets.map(({ kind }) => kind);

export const budgetOf = (path: string): PageBudget =>
  budgets.find(({ pages }) => pages.test(path)) as PageBudget;

/** What is too heavy of a page, one line each. */
export function overweight(path: string, bytes: number, gzipBytes: number): string[] {
  const { html, htmlGzip } = budgetOf(path);
  return [
    ...(bytes > html ? [`${bytes} bytes; ${html} are the most`] : []),
    ...(gzipBytes > htmlGzip ? [`${gzipBytes} bytes gzipped; ${htmlGzip} are the most`] : []),
  ];
}
