/** A sentence whose parts between backticks are code. */
export const CodeText = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
);
