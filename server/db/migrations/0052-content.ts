/** News and highlights: an article is one thing in several languages; ids are unique over both kinds. */
export const content = {
  id: 52,
  name: 'content',
  sql: `
CREATE TABLE article (
  id text PRIMARY KEY,
  no bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('news', 'highlight')),
  -- Came with the build: a newer build may bring a newer text, until the desk publishes its own.
  seeded boolean NOT NULL,
  published_at bigint NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE INDEX article_of_kind ON article (kind, no DESC);
CREATE TABLE article_text (
  article_id text NOT NULL REFERENCES article (id),
  lang text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (article_id, lang)
);
`,
} as const
