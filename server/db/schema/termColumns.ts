import { integer, text } from 'drizzle-orm/pg-core'
import type { Terms } from '../../../contract/settle.ts'

/** The terms that all durations of a product share. The columns of rule R2 are null for R1. */
export const termColumns = () => ({
  rule: text().$type<Terms['rule']>().notNull(),
  priceDecimals: integer('price_decimals').notNull(),
  entryTimeoutMs: integer('entry_timeout_ms').notNull(),
  maxTickGapMs: integer('max_tick_gap_ms').notNull(),
  entryDelayMs: integer('entry_delay_ms'),
  exitWindowMs: integer('exit_window_ms'),
  exitCutBp: integer('exit_cut_bp'),
  exitMinTicks: integer('exit_min_ticks'),
})
