import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { article, articleText, contentVersion, type ArticleKind } from '../schema.ts'
import { writeArticleTexts } from './articleTexts.ts'
import { headsOf } from './heads.ts'
import type { SeededArticle } from './seeds.ts'

/**
 * Publishes the articles that come with the build, each once. A build with changed texts publishes them as the next
 * version, except for articles that the office has published itself.
 */
export async function insertSeedContent(
  db: Db,
  now: number,
  kind: ArticleKind,
  seeds: readonly SeededArticle[],
): Promise<void> {
  if (seeds.length === 0) return
  await db.transaction(async (tx) => {
    const articles = seeds.map(({ id }) => ({ id, kind, seeded: true, publishedAt: now }))
    await tx.insert(article).values(articles).onConflictDoNothing()
    const rows = await tx
      .select({ id: article.id })
      .from(article)
      .where(
        and(
          inArray(
            article.id,
            seeds.map(({ id }) => id),
          ),
          eq(article.kind, kind),
          eq(article.seeded, true),
        ),
      )
      .orderBy(article.id)
      .for('update')
    const own = new Set(rows.map(({ id }) => id))
    if (own.size === 0) return
    const existing = await tx
      .select()
      .from(articleText)
      .where(inArray(articleText.articleId, [...own]))
    const isUnchanged = (text: { articleId: string; lang: string; title: string; body: string }): boolean =>
      existing.some(
        ({ articleId, lang, title, body }) =>
          articleId === text.articleId && lang === text.lang && title === text.title && body === text.body,
      )
    const changed = seeds
      .flatMap(({ id, texts }) => texts.map((text) => ({ articleId: id, ...text, changedAt: now })))
      .filter((text) => own.has(text.articleId) && !isUnchanged(text))
    if (changed.length === 0) return
    await writeArticleTexts(tx, changed)
    const shownBefore = new Set(existing.map(({ articleId }) => articleId))
    const published = [...new Set(changed.map(({ articleId }) => articleId))]
    const republished = published.filter((id) => shownBefore.has(id))
    if (republished.length > 0)
      await tx
        .update(article)
        .set({ version: sql`${article.version} + 1` })
        .where(inArray(article.id, republished))
    const heads = await headsOf(tx, await tx.select().from(article).where(inArray(article.id, published)))
    await tx
      .insert(contentVersion)
      .values(
        heads.map(({ id, version, texts }) => ({ articleId: id, version, texts, author: null, at: now })),
      )
  })
}
