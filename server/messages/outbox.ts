import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { MessageDraft, Messages, NewMessage } from './messages.ts'

/**
 * Messages that may come a moment after their cause: thousands of orders close in one second, and their results must
 * not wait for what is written about them. A stop in between loses such a message, never what it is about; one whose
 * commit is unknown is tried again under its id, and so written once.
 */
export type Outbox = {
  add(...drafts: readonly MessageDraft[]): void
  /** Writes what has gathered, some at a time. */
  flush(): Promise<void>
}

type OutboxParts = { db: Db; fence: Fence; messages: Messages }

const batchSize = 200
/** Beyond this the oldest are dropped: a database that cannot be written to must not fill the memory. */
const waitingMax = 50_000

export function createOutbox({ db, fence, messages }: OutboxParts): Outbox {
  let waiting: NewMessage[] = []
  return {
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
}
