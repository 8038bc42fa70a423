import { createFence, type Fence } from '../../server/platform/db/fence.ts'

const newFence = (): Fence =>
  createFence(0, (error) => {
    throw error
  })

/**
 * The fence of a database that no venue has led yet: venues that a test builds itself write under term 0. A term that ends
 * in one test is not over in the next, so each use has a fence of its own.
 */
export const testFence: Fence = {
  term: 0,
  guard: (work) => newFence().guard(work),
  transaction: (db, work) => newFence().transaction(db, work),
  declareLost: (reason) => newFence().declareLost(reason),
}
