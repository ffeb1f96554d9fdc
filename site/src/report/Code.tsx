interface Props {
  label: string;
  text: string;
  /** For one long line: broken where it must be, so that all of it can be seen. */
  wrap?: boolean;
}

/** Text of a machine, to read or copy. */
export const Code = ({ label, text, wrap = false }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a section would be a second box around it
  <pre class={wrap ? "wrap" : undefined} role="region" aria-label={label} tabindex={0}>
    <code>{text}</code>
  </pre>
);
