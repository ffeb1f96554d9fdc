import type { Child } from "hono/jsx";
import { type ReportPlace, siteUrl } from "./shown-run.ts";

interface Props {
  place: Pick<ReportPlace, "siteOrigin">;
  path: string;
  /** Accessible name, understandable without context. */
  label?: string;
  children?: Child;
}

/** A link to a page of the site; only its text without a site. */
export const SiteLink = ({ place, path, label, children }: Props) => {
  const href = siteUrl(place, path);
  return href === undefined ? (
    children
  ) : (
    <a href={href} aria-label={label}>
      {children}
    </a>
  );
};

/** A link to samples; only its content without a page of them. */
export const SampleLink = ({ href, children }: { href: string | undefined; children?: Child }) =>
  href === undefined ? children : <a href={href}>{children}</a>;
