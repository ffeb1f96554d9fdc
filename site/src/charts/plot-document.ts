/** The document that plots are drawn in: the page's own in a browser, and a light one where pages are built. */
async function documentOfPlots(): Promise<Document> {
  if (!import.meta.env.SSR) return globalThis.document;
  const { svgDocument } = await import("./svg-document.ts");
  return svgDocument;
}

export const plotDocument = await documentOfPlots();
