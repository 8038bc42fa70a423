import { and, desc, eq, lt, notInArray } from 'drizzle-orm'
import { languages, type Language } from '../../../contract/constants.ts'
import { isPageSlug, type Article } from '../../../contract/content.ts'
import type { ContentVersion, ContentVersionText } from '../../../contract/office/contentAdmin.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { article, articleText, contentVersion, type ArticleKind, type StoredTexts } from '../schema.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { writeArticleTexts } from './articleTexts.ts'
import { parseDocument } from './document.ts'
import { headOfFile, inLanguage, lockHead, readHead, type Head } from './heads.ts'
import type { Pages } from './seeds.ts'

export type VersionParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  actLog: ActLog
}

/** What was published, and when and by whom; and publishing, which adds a version and changes none. */
export type Versions = {
  /** Newest first. Throws `NOT_FOUND`. */
  list(kind: ArticleKind, id: string, page: PageRequest): Promise<PagedList<ContentVersion>>
  /** Throws `NOT_FOUND`. */
  show(
    kind: ArticleKind,
    id: string,
    version: number,
  ): Promise<ContentVersion & { texts: ContentVersionText[] }>
  /**
   * Publishes a Markdown file with front matter. With the `id` of an existing article it adds or replaces a language of
   * it, as its next version; a page is named by its `id`. Throws `VALIDATION`, or `CONFLICT` if the id belongs to another
   * kind.
   */
  publish(kind: ArticleKind, file: string, actor: string): Promise<Article>
  /** Publishes all texts of an earlier version as the next one. Throws `CONFLICT` if it is what members see already. */
  publishAgain(kind: ArticleKind, id: string, version: number, actor: string): Promise<ContentVersion>
}

type Row = typeof contentVersion.$inferSelect

export function createVersions(parts: VersionParts, pages: Pages): Versions {
  const { db, random } = parts
  const headOf = async (kind: ArticleKind, id: string): Promise<Head> => {
    const stored = await readHead(db, kind, id)
    if (stored) return stored
    if (kind === 'page' && isPageSlug(id)) return headOfFile(pages, id)
    throw new ApiError('NOT_FOUND')
  }
  return {
    list: async (kind, id, page) => {
      const head = await headOf(kind, id)
      const after = readCursor(page.cursor)
      const rows = await db
        .select()
        .from(contentVersion)
        .where(
          and(eq(contentVersion.articleId, id), after ? lt(contentVersion.version, after[0]) : undefined),
        )
        .orderBy(desc(contentVersion.version))
        .limit(page.limit + 1)
      // A page of the build has no row until the office publishes it.
      const isKept = after !== null || rows[0]?.version === head.version
      const all = isKept ? rows : [rowOf(head), ...rows]
      return toPagedList(all, page.limit, toVersion, ({ version }) => [version, ''])
    },
    show: async (kind, id, version) => {
      const head = await headOf(kind, id)
      const row = await readVersion(db, id, version)
      if (row) return shown(row)
      if (version !== head.version) throw new ApiError('NOT_FOUND')
      return shown(rowOf(head))
    },
    publish: async (kind, file, actor) => {
      const { id = random.uuid(), lang, title, body } = parseDocument(file)
      if ((kind === 'page') !== isPageSlug(id))
        throw kind === 'page'
          ? new ApiError('VALIDATION', { fields: { id: 'INVALID' } })
          : new ApiError('CONFLICT')
      const change = { actor, details: { lang } }
      const { head } = await publishNext(
        parts,
        pages,
        { kind, id, isNew: true, ...change },
        async ({ texts }, at) => ({
          ...texts,
          [lang]: { title, body, changedAt: at },
        }),
      )
      return inLanguage(head, lang)
    },
    publishAgain: async (kind, id, version, actor) => {
      const change = { actor, details: { from: version } }
      const { row: published } = await publishNext(
        parts,
        pages,
        { kind, id, isNew: false, ...change },
        async (before, at, tx) => {
          const row = await readVersion(tx, id, version)
          if (!row) throw new ApiError('NOT_FOUND')
          return changedFrom(before.texts, row.texts, at)
        },
      )
      return toVersion(published)
    },
  }
}

type Publish = {
  kind: ArticleKind
  id: string
  /** Whether an id that nothing has begins a new article. */
  isNew: boolean
  actor: string
  details: Record<string, string | number>
}
type NextTexts = (before: Head, at: number, tx: DbTransaction) => Promise<StoredTexts>

/** Adds a version in one transaction with its row of the act log; publishers of one article wait for each other. */
function publishNext(
  { db, clock, actLog }: VersionParts,
  pages: Pages,
  { kind, id, isNew, actor, details }: Publish,
  nextTexts: NextTexts,
): Promise<{ head: Head; row: Row }> {
  return db.transaction(async (tx) => {
    const at = clock.now()
    const file = kind === 'page' && isPageSlug(id) ? headOfFile(pages, id) : null
    const first = file ?? { id, kind, version: 0, publishedAt: at, texts: {} }
    const created = file !== null || isNew ? await insertArticle(tx, first) : false
    const before = created ? first : await lockHead(tx, kind, id)
    // The version that members see may have no row: a page of the build.
    if (before.version > 0) await tx.insert(contentVersion).values(rowOf(before)).onConflictDoNothing()
    const version = before.version + 1
    const next = { ...before, version, texts: await nextTexts(before, at, tx) }
    await writeTexts(tx, next)
    await tx.update(article).set({ version, seeded: false }).where(eq(article.id, id))
    const row = { ...rowOf(next), author: actor, at }
    await tx.insert(contentVersion).values(row)
    await actLog.write(tx, { actor, act: 'publish', subject: { kind, id }, details: { ...details, version } })
    return { head: next, row }
  })
}

/** Whether the article was new. Its version is written when it is published. */
async function insertArticle(tx: DbTransaction, { id, kind, publishedAt }: Head): Promise<boolean> {
  const row = { id, kind, publishedAt, seeded: false }
  const inserted = await tx.insert(article).values(row).onConflictDoNothing().returning({ id: article.id })
  return inserted.length > 0
}

/** Makes the stored texts those of the head: languages that it does not have are removed. */
async function writeTexts(tx: DbTransaction, { id, texts }: Head): Promise<void> {
  const rows = entriesOf(texts).map(([lang, text]) => ({ articleId: id, lang, ...text }))
  const kept = rows.map(({ lang }) => lang)
  await tx.delete(articleText).where(and(eq(articleText.articleId, id), notInArray(articleText.lang, kept)))
  await writeArticleTexts(tx, rows)
}

/** The texts of `next`; one that is as before keeps the instant of its last change. Throws `CONFLICT` if all are. */
function changedFrom(before: StoredTexts, next: StoredTexts, at: number): StoredTexts {
  const texts = entriesOf(next).map(([lang, { title, body }]) => {
    const old = before[lang]
    return [lang, old?.title === title && old.body === body ? old : { title, body, changedAt: at }] as const
  })
  const isSame = texts.every(([lang, text]) => text === before[lang])
  if (isSame && texts.length === entriesOf(before).length) throw new ApiError('CONFLICT')
  return Object.fromEntries(texts)
}

/** The row of a version that came with the build. */
const rowOf = ({ id, version, texts, publishedAt }: Head): Row => ({
  articleId: id,
  version,
  texts,
  author: null,
  at: publishedAt,
})

async function readVersion(db: Db | DbTransaction, id: string, version: number): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(contentVersion)
    .where(and(eq(contentVersion.articleId, id), eq(contentVersion.version, version)))
  return row
}

const entriesOf = (texts: StoredTexts) =>
  languages.flatMap((lang: Language) => {
    const text = texts[lang]
    return text === undefined ? [] : [[lang, text] as const]
  })

function toVersion({ version, at, author, texts }: Row): ContentVersion {
  const entries = entriesOf(texts)
  const changed = entries.filter(([, { changedAt }]) => changedAt === at).map(([lang]) => lang)
  return { version, at, author, changed }
}

const shown = (row: Row) => ({
  ...toVersion(row),
  texts: entriesOf(row.texts).map(([lang, text]) => ({ lang, ...text })),
})
