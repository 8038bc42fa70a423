import console from 'node:console'
import { beforeAll, vi } from 'vitest'

/**
 * A browser's console names each request that fails. For a file whose requests fail because it tests that: the page prints
 * on Node's console, and not on the one by which Vitest replaces it.
 */
export const muteFailedRequests = (): void =>
  beforeAll(() => {
    const muted = vi.spyOn(console, 'error').mockReturnValue()
    return async () => {
      await (
        window as unknown as { happyDOM: { waitUntilComplete: () => Promise<void> } }
      ).happyDOM.waitUntilComplete()
      muted.mockRestore()
    }
  })
