import type { Child } from "hono/jsx";
import { Head } from "./blocks/Head.tsx";

interface Props {
  /** Says what the table holds, for whoever moves to it by keyboard. */
  label: string;
  /** Wider than a phone, or than any screen: says there that there is more to the side. */
  wide?: boolean | "everywhere";
  /** Its cells are numbers but for those of class `text`: a class on each would be a tenth of a report. */
  figures?: boolean;
  /** A class of its own. */
  look?: string;
  /** Its head; left out where headings are more than words. */
  columns?: Parameters<typeof Head>[0]["columns"];
  children?: Child;
}

/** A table that scrolls sideways in a box of its own. */
export const ScrollTable = ({
  label,
  wide = false,
  figures = false,
  look,
  columns,
  children,
}: Props) => (
  <>
    {wide && (
      <p class={wide === "everywhere" ? "swipe swipe-everywhere small soft" : "swipe small soft"}>
        More columns to the right: swipe, or scroll with the arrow keys.
      </p>
    )}
    <section class="scroll" aria-label={label} tabindex={0}>
      <table class={figures ? "figures" : look}>
        {columns && <Head columns={columns} />}
        {children}
      </table>
    </section>
  </>
);
