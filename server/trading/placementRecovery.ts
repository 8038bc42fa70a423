import { statementTimeoutMs } from '../db/database.ts'
import type { Clock } from '../ports.ts'

/** After a statement whose outcome is unknown, the orders are first read again this much later, */
const firstDelayMs = 1000
/** then this often, */
const intervalMs = 10_000
/** for this long: the database may still be running the statement, and ends it at its own limit. */
const recoveryMs = statementTimeoutMs + 20_000

/** Reads orders again for as long as a placement whose outcome is unknown may still be committed. */
export type PlacementRecovery = {
  /** After a placement whose outcome is unknown. */
  onUnknownOutcome(): void
  stop(): void
}

export type PlacementRecoveryParts = {
  clock: Clock
  /** Reads the orders; one that fails is reported and tried again. */
  loadOrders: () => Promise<void>
  report: (what: string, error: unknown) => void
}

export function createPlacementRecovery({
  clock,
  loadOrders,
  report,
}: PlacementRecoveryParts): PlacementRecovery {
  let recoverUntil = Number.NEGATIVE_INFINITY
  let stopped = false
  let cancel: (() => void) | null = null
  const tryLoad = async (): Promise<boolean> => {
    try {
      await loadOrders()
      return true
    } catch (error) {
      if (!stopped) report('reading orders again failed', error)
      return false
    }
  }
  const schedule = (ms: number): void => {
    cancel = clock.at(clock.now() + ms, async () => {
      const readAt = clock.now()
      const done = await tryLoad()
      if (stopped) return
      if (!done) schedule(firstDelayMs)
      else if (readAt < recoverUntil) schedule(intervalMs)
      else cancel = null
    })
  }
  return {
    onUnknownOutcome: () => {
      recoverUntil = clock.now() + recoveryMs
      if (cancel === null && !stopped) schedule(firstDelayMs)
    },
    stop: () => {
      stopped = true
      cancel?.()
    },
  }
}
