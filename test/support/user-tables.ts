/** Names of a database's own tables, without those of SQLite and of the runtime. */
export const USER_TABLES = `SELECT name FROM sqlite_master WHERE type = 'table'
  AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;
