/** Maximum sizes of a kind of page, bytes. */
export interface PageBudget {
  kind: string;
  /** Matches paths without a leading slash. */
  pages: RegExp;
  /** Uncompressed HTML, which the browser has to lay out. */
  html: number;
  htmlGzip: number;
  /** Scripts with all their imports. */
  scriptsGzip: number;
}

/** The first matching budget applies. The budgets allow boards of a hundred models. */
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

/** One line for each exceeded limit of a page. */
export function overweight(path: string, bytes: number, gzipBytes: number): string[] {
  const { html, htmlGzip } = budgetOf(path);
  return [
    ...(bytes > html ? [`${bytes} bytes; the maximum is ${html}`] : []),
    ...(gzipBytes > htmlGzip ? [`${gzipBytes} bytes gzipped; the maximum is ${htmlGzip}`] : []),
  ];
}
