export interface ContentsEntry {
  id: string;
  title: string;
}

/**
 * Links to the sections of a long page, or nothing without sections. They follow the reader if there is room; a script
 * marks the current section.
 */
export const PageContents = ({ entries }: { entries: readonly ContentsEntry[] }) =>
  entries.length === 0 ? null : (
    <nav class="page-contents small" aria-labelledby="contents">
      <p id="contents" class="soft">
        On this page
      </p>
      <ul>
        {entries.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
