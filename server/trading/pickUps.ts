import { statementTimeoutMs } from '../db/database.ts'
import type { Clock } from '../ports.ts'

/** After a statement whose outcome is unknown, the orders are first read again this much later, */
const firstMs = 1000
/** then this often, */
const everyMs = 10_000
/** for this long: the database may still be running the statement, and ends it at its own limit. */
const unknownMs = statementTimeoutMs + 20_000

/** Reads orders again for as long as a placement whose outcome is unknown may still be committed. */
export type PickUps = {
  /** After a placement whose outcome is unknown. */
  expect(): void
  stop(): void
}

export type PickUpParts = {
  clock: Clock
  /** Reads the orders; one that fails is reported and tried again. */
  pickUp: () => Promise<void>
  report: (what: string, error: unknown) => void
}

export function createPickUps({ clock, pickUp, report }: PickUpParts): PickUps {
  let unknownUntil = Number.NEGATIVE_INFINITY
  let stopped = false
  let cancel: (() => void) | null = null
  const tried = async (): Promise<boolean> => {
    try {
      await pickUp()
      return true
    } catch (error) {
      if (!stopped) report('reading orders again failed', error)
      return false
    }
  }
  const arm = (ms: number): void => {
    cancel = clock.at(clock.now() + ms, async () => {
      const readAt = clock.now()
      const done = await tried()
      if (stopped) return
      if (!done) arm(firstMs)
      else if (readAt < unknownUntil) arm(everyMs)
      else cancel = null
    })
  }
  return {
    expect: () => {
      unknownUntil = clock.now() + unknownMs
      if (cancel === null && !stopped) arm(firstMs)
    },
    stop: () => {
      stopped = true
      cancel?.()
    },
  }
}
