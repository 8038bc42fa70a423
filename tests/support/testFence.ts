import { createFence } from '../../server/db/fence.ts'

/** The term of a database that no venue has led yet: every venue that a test builds by hand writes under it. */
export const testFence = createFence(0, (error) => {
  throw error
})
