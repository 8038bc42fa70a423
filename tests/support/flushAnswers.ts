import { act } from 'react'
import { vi } from 'vitest'

/** Waits until pending answers are on the screen. Under fake timers it runs those that are due. */
export const flushAnswers = () =>
  act(async () => {
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(0)
    else await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  })
