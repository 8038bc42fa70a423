import type { Report } from '../ports.ts'
import { retryStart } from '../retryStart.ts'
import { SettingsError } from '../settingsError.ts'
import type { Bus } from './bus.ts'
import { openNatsTransport } from './natsTransport.ts'
import type { BusKeys } from './seal.ts'
import { sealBus } from './sealedBus.ts'

/** A NATS server that starts with the node answers within this time. */
const startMs = 5000

/** How any thread of a node reaches the others. */
export type BusAddress = {
  /** `BUS_URL`, see `busUrl.ts`. */
  url: string
  keys: BusKeys
  /** Named in the server's list of connections. */
  name: string
}

export type OpenBusParts = {
  /** The venue's time as this thread estimates it. */
  now: () => number
  warn: (line: string) => void
  report: Report
}

/** @throws if no server answers, or it rejects the credentials */
export async function openBus({ url, keys, name }: BusAddress, parts: OpenBusParts): Promise<Bus> {
  const transport = await openNatsTransport({ url, space: keys.space, name }, parts.report)
  return sealBus({ transport, keys, ...parts })
}

/**
 * The same at the start of a node: waits for a server that is starting too.
 * @throws SettingsError with one line
 */
export function openBusAtStart(address: BusAddress, parts: OpenBusParts): Promise<Bus> {
  const onWaiting = (): void => parts.warn('NATS does not answer yet: waiting for it')
  const opening = retryStart(
    () => openBus(address, parts),
    () => startMs,
    onWaiting,
  )
  return opening.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError(`BUS_URL does not answer (${reason})`)
  })
}
