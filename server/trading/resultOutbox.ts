import { eq, inArray, sql } from 'drizzle-orm'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { orders, resultOutbox } from '../db/schema/order.ts'
import type { Messages, NewMessage } from '../messages/messages.ts'
import type { Module } from '../module.ts'
import type { Report } from '../ports.ts'
import { toResultMessage } from './resultMessage.ts'

/**
 * Writes the messages about final orders. Thousands of orders close in one second, and their results must not wait for
 * messages: the statement that settles orders only lists them, and the messages are written a moment later. So no stop
 * loses a message, and the list and the messages change in one transaction, so that each is written once.
 */
export type ResultOutbox = {
  /** Call after orders are settled. */
  onSettled(): void
  /** Writes the messages of all listed orders, one settled batch at a time. */
  flush(): Promise<void>
}

type Parts = {
  db: Db
  fence: Fence
  messages: Pick<Messages, 'prepare' | 'store' | 'republish'>
  report: Report
}

const flushEveryMs = 1000

export function createResultOutbox({ db, fence, messages, report }: Parts): ResultOutbox & Module {
  // At the start the run before may have left some.
  let isPending = true
  /** Messages of a transaction that may be committed although it failed here: then nobody was told. */
  let uncertain: NewMessage[] = []

  const writeBatch = async (tx: DbTransaction): Promise<(() => void) | null> => {
    const rows = await takeBatch(tx)
    if (rows === null) return null
    uncertain = rows.flatMap((row) =>
      messages.prepare(toResultMessage(row)).map((each) => ({ ...each, at: row.settledAt ?? each.at })),
    )
    return messages.store(tx, uncertain)
  }
  const flush = async (): Promise<void> => {
    await messages.republish(uncertain)
    uncertain = []
    for (;;) {
      const notify = await fence.transaction(db, writeBatch)
      uncertain = []
      if (notify === null) return
      notify()
    }
  }
  const flushPending = async (): Promise<void> => {
    if (!isPending) return
    isPending = false
    try {
      await flush()
    } catch (error) {
      isPending = true
      throw error
    }
  }
  return {
    onSettled: () => {
      isPending = true
    },
    flush,
    stop: () => flushPending().catch((error: unknown) => report('sending result messages failed', error)),
    jobs: [{ name: 'send result messages', everyMs: flushEveryMs, run: flushPending }],
  }
}

/** The orders of the oldest batch, which leaves the list; null if there is none. */
async function takeBatch(tx: DbTransaction) {
  const oldest = sql`(SELECT min(id) FROM result_outbox)`
  const [batch] = await tx.delete(resultOutbox).where(eq(resultOutbox.id, oldest)).returning()
  return batch
    ? tx.select().from(orders).where(inArray(orders.id, batch.orderIds)).orderBy(orders.closeAt)
    : null
}
