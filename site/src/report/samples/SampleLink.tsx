import type { Child } from "hono/jsx";

/** A link to samples; only its content if there is no page of them. */
export const SampleLink = ({ href, children }: { href: string | undefined; children?: Child }) =>
  href === undefined ? children : <a href={href}>{children}</a>;
