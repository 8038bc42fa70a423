import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { Module } from '../module.ts'
import type { Report } from '../ports.ts'
import type { MessageDraft, Messages, NewMessage } from './messages.ts'

/**
 * Messages that may be written a moment after their event: thousands of orders close in one second, and their results
 * must not wait for the messages. A stop in between loses a message, never the event. If the result of a commit is
 * unknown, the message is written again with the same id, so it is stored once.
 */
export type Outbox = {
  add(...drafts: readonly MessageDraft[]): void
  /** Writes all waiting messages, in batches. */
  flush(): Promise<void>
}

type OutboxParts = { db: Db; fence: Fence; messages: Pick<Messages, 'prepare' | 'sendOnce'>; report: Report }

const batchSize = 200
const flushEveryMs = 1000
/** Above this number the oldest are dropped: a database that rejects writes must not fill the memory. */
const waitingMax = 50_000

export function createOutbox({ db, fence, messages, report }: OutboxParts): Outbox & Module {
  let waiting: NewMessage[] = []
  const outbox: Outbox = {
    add: (...drafts) => {
      waiting.push(...messages.prepare(...drafts))
      if (waiting.length > waitingMax) waiting = waiting.slice(-waitingMax)
    },
    flush: async () => {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, batchSize)
        try {
          const notify = await fence.transaction(db, (tx) => messages.sendOnce(tx, batch))
          notify()
        } catch (error) {
          waiting.unshift(...batch)
          throw error
        }
      }
    },
  }
  return {
    ...outbox,
    stop: () => outbox.flush().catch((error: unknown) => report('sending result messages failed', error)),
    jobs: [{ name: 'send result messages', everyMs: flushEveryMs, run: () => outbox.flush() }],
  }
}
