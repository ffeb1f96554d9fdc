interface Props {
  label: string;
  text: string;
  /** Wraps a single long line, so that all of it is visible. */
  wrap?: boolean;
}

export const Code = ({ label, text, wrap = false }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a section would be a second box around it
  <pre class={wrap ? "wrap" : undefined} role="region" aria-label={label} tabindex={0}>
    <code>{text}</code>
  </pre>
);

/** A sentence whose parts in backticks are code. */
export const CodeText = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
);
