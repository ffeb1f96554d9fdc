/** A rule of a `_headers` file: the paths it is for, and what it sets. */
interface HeaderRule {
  paths: RegExp;
  /** By name in lower case. */
  headers: Record<string, string>;
}

/** The rules of a `_headers` file, as static assets of Workers read it. */
export const headerRules = (file: string): HeaderRule[] =>
  file
    .split(/\n(?=\S)/)
    .filter((block) => block.startsWith("/"))
    .map((block) => {
      const [path = "", ...lines] = block.split("\n");
      const pattern = path
        .trim()
        .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
        .replaceAll("*", ".*");
      const headers = lines.filter((line) => line.startsWith("  ")).map(headerOf);
      return { paths: new RegExp(`^${pattern}$`), headers: Object.fromEntries(headers) };
    });

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
