import { type ActLog, lookMs } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/ports.ts'

export type ListLooksParts = { db: Db; clock: Pick<Clock, 'now'>; actLog: Pick<ActLog, 'write'> }

/** Records who sees a list that open pages read every few seconds: one row in ten minutes, of each node. */
export function createListLooks({ db, clock, actLog }: ListLooksParts, kind: string) {
  const since = new Map<string, number>()
  return async (actor: string): Promise<void> => {
    if (clock.now() - (since.get(actor) ?? -lookMs) < lookMs) return
    await actLog.write(db, { actor, act: 'view', subject: { kind, id: 'list' } })
    since.set(actor, clock.now())
  }
}
