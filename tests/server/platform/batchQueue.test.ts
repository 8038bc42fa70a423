import { expect, it } from 'vitest'
import { createBatchQueue } from '../../../server/platform/batchQueue.ts'

/** A queue whose batches are recorded and end when the test says so. */
function recordedQueue(batchMax: number) {
  const batches: number[][] = []
  let endBatch = (): void => undefined
  const queue = createBatchQueue<number>((batch) => {
    batches.push([...batch])
    return new Promise((resolve) => (endBatch = resolve))
  }, batchMax)
  return { queue, batches, endBatch: () => endBatch() }
}

it('handles items of one turn together, and those that arrive meanwhile in the next batch', async () => {
  const { queue, batches, endBatch } = recordedQueue(10)
  queue.push(1)
  queue.push(2)
  await expect.poll(() => batches).toEqual([[1, 2]])
  queue.push(3)
  queue.push(4)
  expect(queue.waiting).toBe(2)
  expect(batches).toHaveLength(1)
  endBatch()
  await expect
    .poll(() => batches)
    .toEqual([
      [1, 2],
      [3, 4],
    ])
  expect(queue.waiting).toBe(0)
})

it('limits a batch, and starts again after it was empty', async () => {
  const { queue, batches, endBatch } = recordedQueue(2)
  for (const item of [1, 2, 3]) queue.push(item)
  await expect.poll(() => batches).toEqual([[1, 2]])
  expect(queue.waiting).toBe(1)
  endBatch()
  await expect.poll(() => batches.at(-1)).toEqual([3])
  endBatch()
  queue.push(4)
  await expect.poll(() => batches.at(-1)).toEqual([4])
})
