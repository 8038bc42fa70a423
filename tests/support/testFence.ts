import { createFence } from '../../server/db/fence.ts'

/** The fence of a database that no venue has led yet: venues that a test builds itself write under term 0. */
export const testFence = createFence(0, (error) => {
  throw error
})
