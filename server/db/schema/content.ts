import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Language } from '../../../contract/constants.ts'

export type ArticleKind = 'news' | 'highlight' | 'page'

/** A news item, a highlight, or a standing page that the office has published; without its texts. */
export const article = pgTable('article', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text().$type<ArticleKind>().notNull(),
  seeded: boolean().notNull(),
  publishedAt: bigint('published_at', { mode: 'number' }).notNull(),
  version: integer().notNull().default(1),
})

/** An article's newest text in one language; the body is Markdown. */
export const articleText = pgTable(
  'article_text',
  {
    articleId: text('article_id').notNull(),
    lang: text().$type<Language>().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    changedAt: bigint('changed_at', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.lang] })],
)

export type StoredText = { title: string; body: string; changedAt: number }
export type StoredTexts = Partial<Record<Language, StoredText>>

/** All texts of an article after one publish; rows are added and never changed. */
export const contentVersion = pgTable(
  'content_version',
  {
    articleId: text('article_id').notNull(),
    version: integer().notNull(),
    texts: jsonb().$type<StoredTexts>().notNull(),
    author: text(),
    at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.version] })],
)
