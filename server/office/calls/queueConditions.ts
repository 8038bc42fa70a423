import { sql, type SQL } from 'drizzle-orm'
import type { Language } from '../../../contract/constants.ts'
import type { QueueOrder, QueuePart } from '../../../contract/office/queues.ts'
import { moneyOf } from '../../../contract/money.ts'
import { minuteMs } from '../../../contract/time.ts'

/** Which items of a queue, and in which order. `from` is an amount, `waited` minutes, `item` the id of the only one. */
export type Wanted = {
  order: QueueOrder
  from?: string | undefined
  waited?: number | undefined
  item?: string | undefined
  show?: QueuePart | undefined
  picture?: 'with' | 'without' | undefined
  method?: string | undefined
  language?: Language | undefined
  /** Ids that are left out. */
  except?: readonly string[] | undefined
}
const partConditions: Readonly<Record<QueuePart, (actor: string) => SQL>> = {
  all: () => sql`true`,
  free: () => sql`c.item_id IS NULL`,
  mine: (actor) => sql`c.claimed_by = ${actor}`,
  second: (actor) => sql`w.proposed_by <> ${actor}`,
}

/** The conditions of what is wanted, on the waiting row `w`, its claim `c` and its member `m`. */
export function conditionsOf(wanted: Wanted, actor: string, now: number): SQL[] {
  const { item, from, waited, show, picture, method, language, except } = wanted
  return [
    ...(item === undefined ? [] : [sql`w.id = ${item}`]),
    ...(from === undefined ? [] : [sql`w.amount >= ${moneyOf(from)}::bigint`]),
    ...(waited === undefined ? [] : [sql`w.created_at <= ${now - waited * minuteMs}::bigint`]),
    ...(show === undefined ? [] : [partConditions[show](actor)]),
    ...(picture === undefined ? [] : [sql`w.has_picture = ${picture === 'with'}`]),
    ...(method === undefined ? [] : [sql`w.method = ${method}`]),
    ...(language === undefined ? [] : [sql`m.language = ${language}`]),
    ...(except === undefined ? [] : [sql`w.id <> ALL(${sql.param(except)}::text[])`]),
  ]
}
