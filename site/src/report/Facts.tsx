export interface Fact {
  term: string;
  /** A fact without a text is omitted. */
  text: string | null;
  href?: string | undefined;
  code?: boolean;
}

const widthOf = ({ length }: string): string | undefined =>
  length > 40 ? "whole" : length > 24 ? "wide" : undefined;

/** Terms with their values, next to each other if there is room. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(({ text }) => text !== null && text !== "")
      .map(({ term, text, href, code }) => (
        <div class={widthOf(text ?? "")}>
          <dt>{term}</dt>
          <dd>{href ? <a href={href}>{text}</a> : code ? <code>{text}</code> : text}</dd>
        </div>
      ))}
  </dl>
);
