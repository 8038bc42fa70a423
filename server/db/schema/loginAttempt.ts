import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

const instant = (name: string) => bigint(name, { mode: 'number' })

/** Failed log-ins by a keyed hash of what failed. `previousAt` is what `at` was before the last count. */
export const loginFailure = pgTable('login_failure', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  at: instant('at').notNull(),
  previousAt: instant('previous_at').notNull(),
})

/** A captcha that was answered, rightly or wrongly, and cannot be answered again. */
export const usedCaptcha = pgTable('used_captcha', {
  id: text().primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})
