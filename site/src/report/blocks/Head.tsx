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
