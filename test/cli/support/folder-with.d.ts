/** A temporary folder with these files, a list of rows as JSONL, until `dispose` removes it. */
export declare function folderWith(files: Record<string, string | readonly unknown[]>): {
  path: string;
  dispose: () => void;
};
/** An empty temporary folder that is gone when the test is over. */
export declare function aFolder(): string;
/** Rows as JSONL. */
export declare function jsonl(rows: readonly unknown[]): string;
