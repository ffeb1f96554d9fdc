/** Links to the sections of a long page. */
export const Contents = ({ entries }: { entries: readonly { id: string; title: string }[] }) => (
  <nav class="contents" aria-label="On this page">
    <ul>
      {entries.map(({ id, title }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);
