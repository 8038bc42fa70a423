import { eq, inArray } from 'drizzle-orm'
import { epochMs } from '../../../contract/units.ts'
import type { Language } from '../../../contract/constants.ts'
import type { Article, PageSlug } from '../../../contract/content.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { article, articleText, type ArticleKind, type StoredTexts } from '../schema.ts'
import { languageFor } from './languageFor.ts'
import type { Pages } from './seeds.ts'

/** An article as members see it now, in all its languages. */
export type Head = {
  id: string
  kind: ArticleKind
  version: number
  publishedAt: number
  texts: StoredTexts
}

type ArticleRow = typeof article.$inferSelect
type TextRow = typeof articleText.$inferSelect

/** The heads of these rows, in their order. */
export async function headsOf(db: Db | DbTransaction, rows: readonly ArticleRow[]): Promise<Head[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await db.select().from(articleText).where(inArray(articleText.articleId, ids))
  return rows.map(({ id, kind, version, publishedAt }) => ({
    id,
    kind,
    version,
    publishedAt,
    texts: toStored(
      found.filter(({ articleId }) => articleId === id),
      publishedAt,
    ),
  }))
}

const toStored = (rows: readonly TextRow[], publishedAt: number): StoredTexts =>
  Object.fromEntries(
    rows.map(({ lang, title, body, changedAt }) => [
      lang,
      { title, body, changedAt: changedAt ?? publishedAt },
    ]),
  )

/** What is stored under the id; undefined if nothing is, or something of another kind. */
export async function readHead(db: Db, kind: ArticleKind, id: string): Promise<Head | undefined> {
  const rows = await db.select().from(article).where(eq(article.id, id))
  const [head] = await headsOf(
    db,
    rows.filter((row) => row.kind === kind),
  )
  return head
}

/** What is stored under the id, locked until the transaction ends. Throws `CONFLICT` if it is of another kind. */
export async function lockHead(tx: DbTransaction, kind: ArticleKind, id: string): Promise<Head> {
  const rows = await tx.select().from(article).where(eq(article.id, id)).for('update')
  if (rows.some((row) => row.kind !== kind)) throw new ApiError('CONFLICT')
  const [head] = await headsOf(tx, rows)
  if (!head) throw new ApiError('NOT_FOUND')
  return head
}

/** A page of the build, or of the operator's folder: what members see until the office publishes it. */
export function headOfFile(pages: Pages, slug: PageSlug): Head {
  const texts = pages.get(slug) ?? []
  return {
    id: slug,
    kind: 'page',
    version: Math.max(...texts.map(({ version }) => version)),
    publishedAt: Math.max(...texts.map(({ publishedAt }) => publishedAt)),
    texts: Object.fromEntries(
      texts.map(({ lang, title, body, publishedAt }) => [lang, { title, body, changedAt: publishedAt }]),
    ),
  }
}

/** In the requested language, or the nearest. A page is dated by its last change, what is news by its publication. */
export function inLanguage(head: Head, requested: Language | undefined): Article {
  const { id, kind, version, publishedAt, texts } = head
  const lang = languageFor(requested, (code) => texts[code] !== undefined)
  const text = lang && texts[lang]
  if (!lang || !text) throw new Error(`${id} has no text in any language.`)
  const { title, body, changedAt } = text
  const at = kind === 'page' ? changedAt : publishedAt
  return { id, title, body, lang, publishedAt: epochMs(at), version }
}
