import { setImmediate as nextTurn } from 'node:timers/promises'

export type BatchQueue<T> = {
  push(item: T): void
  /** How many items wait for the next batch. */
  readonly waiting: number
}

/**
 * Items that wait together are handled together: while one batch is in progress, the next gathers.
 * @param handle settles every item of a batch and never rejects
 * @param batchMax the most items in one batch
 */
export function createBatchQueue<T>(
  handle: (batch: readonly T[]) => Promise<void>,
  batchMax: number,
): BatchQueue<T> {
  const queue: T[] = []
  let isDraining = false

  const drain = async (): Promise<void> => {
    isDraining = true
    // Requests that are read in this turn of the event loop join the batch.
    await nextTurn()
    while (queue.length > 0) await handle(queue.splice(0, batchMax))
    isDraining = false
  }

  return {
    push: (item) => {
      queue.push(item)
      if (!isDraining) void drain()
    },
    get waiting() {
      return queue.length
    },
  }
}
