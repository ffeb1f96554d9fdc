/** How a run's report is written: as a page, as Markdown, or as data. */
export type ReportFormat = "html" | "md" | "json";

const formats: Readonly<Record<string, ReportFormat>> = {
  html: "html",
  htm: "html",
  markdown: "md",
  md: "md",
  json: "json",
};

/** A format as a config names it, in any case; null for one that is not known. */
export const reportFormat = (name: string): ReportFormat | null => {
  const known = name.toLowerCase();
  return Object.hasOwn(formats, known) ? formats[known]! : null;
};

/** What a report is written as where a config does not say. */
export const usualFormat = "html";
