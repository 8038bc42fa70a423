import type { Report } from '../ports.ts'
import type { Bus } from './bus.ts'
import { openNatsTransport } from './natsTransport.ts'
import type { BusKeys } from './seal.ts'
import { sealBus } from './sealedBus.ts'

/** How any thread of a node reaches the others. */
export type BusAddress = {
  /** `BUS_URL`, see `busUrl.ts`. */
  url: string
  keys: BusKeys
  /** Named in the server's list of connections. */
  name: string
}

export type OpenBusParts = {
  /** The venue's time, as far as this thread knows it. */
  now: () => number
  warn: (line: string) => void
  report: Report
}

/** @throws if no server answers, or it rejects the credentials */
export async function openBus({ url, keys, name }: BusAddress, parts: OpenBusParts): Promise<Bus> {
  const transport = await openNatsTransport({ url, space: keys.space, name }, parts.report)
  return sealBus({ transport, keys, ...parts })
}
