import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { article, articleText } from '../db/schema/content.ts'
import type { ArticleKind } from '../db/schema/content.ts'
import type { SeededArticle } from './seeds.ts'

/**
 * Publishes the articles that come with the build, each once. A build with changed texts publishes them as the next
 * version, except for articles that the back office has published itself.
 */
export async function insertSeedContent(
  db: Db,
  now: number,
  kind: ArticleKind,
  seeds: readonly SeededArticle[],
): Promise<void> {
  for (const { id, texts } of seeds) {
    await db.transaction(async (tx) => {
      await tx.insert(article).values({ id, kind, seeded: true, publishedAt: now }).onConflictDoNothing()
      const own = and(eq(article.id, id), eq(article.kind, kind), eq(article.seeded, true))
      const [row] = await tx.select().from(article).where(own).for('update')
      if (!row) return
      const existing = await tx.select().from(articleText).where(eq(articleText.articleId, id))
      const changed = texts.filter(
        ({ lang, title, body }) =>
          !existing.some((text) => text.lang === lang && text.title === title && text.body === body),
      )
      for (const { lang, title, body } of changed) {
        await tx
          .insert(articleText)
          .values({ articleId: id, lang, title, body })
          .onConflictDoUpdate({ target: [articleText.articleId, articleText.lang], set: { title, body } })
      }
      if (changed.length > 0 && existing.length > 0) {
        await tx
          .update(article)
          .set({ version: sql`${article.version} + 1` })
          .where(own)
      }
    })
  }
}
