import { statementTimeoutMs } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/ports.ts'

/** Delay until the orders are first read again after a statement with unknown outcome, or after a failed read. */
const firstDelayMs = 1000
/** Interval of the reads after that. */
const intervalMs = 10_000
/** How long the orders are read again: the database may still run the statement, until its statement timeout. */
const recoveryMs = statementTimeoutMs + 20_000

/** Reads orders again for as long as a placement whose outcome is unknown may still be committed. */
export type PlacementRecovery = {
  /** Call it after a placement with unknown outcome. */
  onUnknownOutcome(): void
  stop(): void
}

export type PlacementRecoveryParts = {
  clock: Clock
  /** Reads the orders. A failure is reported, and the read is tried again. */
  loadOrders: () => Promise<unknown>
  report: (message: string, error: unknown) => void
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
      const hasLoaded = await tryLoad()
      if (stopped) return
      if (!hasLoaded) schedule(firstDelayMs)
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
