import { sql } from 'drizzle-orm'
import type { DbTransaction } from '../../platform/db/database.ts'
import { articleText } from '../schema.ts'

/** Adds texts, or replaces those of the same article and language. */
export async function writeArticleTexts(
  tx: DbTransaction,
  texts: (typeof articleText.$inferInsert)[],
): Promise<void> {
  await tx
    .insert(articleText)
    .values(texts)
    .onConflictDoUpdate({
      target: [articleText.articleId, articleText.lang],
      set: { title: sql`excluded.title`, body: sql`excluded.body`, changedAt: sql`excluded.changed_at` },
    })
}
