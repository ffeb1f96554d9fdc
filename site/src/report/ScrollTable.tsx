import type { Child } from "hono/jsx";

interface Props {
  /** Accessible name of the table, for keyboard users. */
  label: string;
  /** Whether it is wider than a phone, or than any screen; shows a hint to scroll. */
  wide?: boolean | "everywhere";
  /** Whether cells are numbers except those with class `text`: a class on each would be a tenth of a report's bytes. */
  figures?: boolean;
  /** An additional class. */
  look?: string;
  /** The column heads; missing if headings are more than text. */
  columns?: Parameters<typeof Head>[0]["columns"];
  children?: Child;
}

/** A table that scrolls sideways in its own box. */
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

/** A table's head; columns of numbers are right-aligned. */
export const Head = ({ columns }: { columns: readonly (string | { num: string })[] }) => (
  <thead>
    <tr>
      {columns.map((column) =>
        typeof column === "string" ? (
          <th scope="col">{column}</th>
        ) : (
          <th scope="col" class="num">
            {column.num}
          </th>
        ),
      )}
    </tr>
  </thead>
);
