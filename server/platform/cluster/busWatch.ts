import type { Bus } from './bus.ts'

const checkEveryMs = 250
/**
 * How many checks in a row must find this node without the bus and a standby with it. A restart of the bus takes less
 * time.
 */
const checks = 4

export type BusWatchParts = {
  bus: Pick<Bus, 'isConnected'>
  /** Whether another node is connected to the bus and waits for the lease. */
  isStandbyReady: () => Promise<boolean>
  /** Called once. */
  onCutOff: () => void
}

/**
 * Watches the bus of a leader: without it no order of another node reaches this one, so a standby that has it should
 * lead. If no node has it, a change of leaders would not help. @returns ends it
 */
export function watchBus({ bus, isStandbyReady, onCutOff }: BusWatchParts): () => void {
  let found = 0
  let isAsking = false
  const timer = setInterval(() => {
    if (bus.isConnected()) found = 0
    else if (!isAsking) void check()
  }, checkEveryMs)
  timer.unref()
  const check = async (): Promise<void> => {
    isAsking = true
    // An error says nothing about the bus; the lease watches its connection itself.
    const isReady = await isStandbyReady().catch(() => false)
    isAsking = false
    found = isReady && !bus.isConnected() ? found + 1 : 0
    if (found < checks) return
    clearInterval(timer)
    onCutOff()
  }
  return () => clearInterval(timer)
}
