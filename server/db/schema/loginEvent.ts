import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core'
import type { LoginEvent } from '../../../contract/logins.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** A log-in, or a try with a wrong password, of an account that exists. */
export const loginEvent = pgTable('login_event', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  at: int8('at').notNull(),
  device: text().notNull(),
  network: text().$type<LoginEvent['network']>().notNull(),
  method: text().$type<LoginEvent['method']>().notNull(),
  result: text().$type<LoginEvent['result']>().notNull(),
  known: boolean().notNull(),
  deniedAt: int8('denied_at'),
})
export type LoginEventRow = typeof loginEvent.$inferSelect
