interface Props {
  label: string;
  text: string;
  /** For one long line: wraps it, so that all of it is visible. */
  wrap?: boolean;
}

/** Code to read or copy. */
export const Code = ({ label, text, wrap = false }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a section would be a second box around it
  <pre class={wrap ? "wrap" : undefined} role="region" aria-label={label} tabindex={0}>
    <code>{text}</code>
  </pre>
);

/** A sentence whose parts between backticks are code. */
export const CodeText = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
);
