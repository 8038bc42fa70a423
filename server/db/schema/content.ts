import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Language } from '../../../contract/constants.ts'

export type ArticleKind = 'news' | 'highlight'

/** A news item or highlight, without its texts. */
export const article = pgTable('article', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text().$type<ArticleKind>().notNull(),
  seeded: boolean().notNull(),
  publishedAt: bigint('published_at', { mode: 'number' }).notNull(),
  version: integer().notNull().default(1),
})

/** An article's text in one language; the body is Markdown. */
export const articleText = pgTable(
  'article_text',
  {
    articleId: text('article_id').notNull(),
    lang: text().$type<Language>().notNull(),
    title: text().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.lang] })],
)
