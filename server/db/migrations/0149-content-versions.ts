/**
 * Every publish is a row that stays: all texts of the item after it. `article` and `article_text` remain what members see, so
 * that nodes of the build before read and write them as before. A page of the office is an article too.
 */
export const contentVersions = {
  id: 149,
  name: 'content versions',
  sql: `
ALTER TABLE article DROP CONSTRAINT article_kind_check;
ALTER TABLE article ADD CONSTRAINT article_kind_check CHECK (kind IN ('news', 'highlight', 'page'));
-- Null: when the article was published.
ALTER TABLE article_text ADD COLUMN changed_at bigint;

CREATE TABLE content_version (
  article_id text NOT NULL REFERENCES article (id),
  version integer NOT NULL CHECK (version > 0),
  -- By language: {title, body, changedAt}.
  texts jsonb NOT NULL,
  -- Null: came with the build, or with the operator's folder of pages.
  author text,
  at bigint NOT NULL,
  PRIMARY KEY (article_id, version)
);
CREATE TRIGGER content_version_stays BEFORE UPDATE OR DELETE ON content_version
  FOR EACH ROW EXECUTE FUNCTION deny_change();
CREATE TRIGGER content_version_no_truncate BEFORE TRUNCATE ON content_version EXECUTE FUNCTION deny_change();

-- What is shown today is each article's first version on record, under the number that members and the audit know.
INSERT INTO content_version (article_id, version, texts, author, at)
SELECT article.id, article.version,
  (SELECT jsonb_object_agg(lang, jsonb_build_object('title', title, 'body', body, 'changedAt', article.published_at))
     FROM article_text WHERE article_id = article.id),
  published.actor, coalesce(published.at, article.published_at)
FROM article LEFT JOIN LATERAL (
  SELECT actor, at FROM audit
  WHERE act = 'publish' AND subject_kind = article.kind AND subject_id = article.id
  ORDER BY audit.id DESC LIMIT 1
) published ON true
WHERE EXISTS (SELECT FROM article_text WHERE article_id = article.id);
`,
} as const
