import {
  HttpError,
  type Connection,
  type ConnectionHandlers,
  type Transport,
} from '../../../server/market/feed/live/transport.ts'
import type { Clock } from '../../../server/platform/ports.ts'
import type { ExchangeCore } from './exchangeCore.ts'

/**
 * A network in memory, on a clock: each message takes `latencyMs`, in order.
 * @param delivered hears every message of the exchange when it arrives
 */
export function memoryTransport(
  core: ExchangeCore,
  clock: Clock,
  latencyMs: number,
  delivered: (text: string) => void = () => undefined,
): Transport {
  const later = (run: () => void): void => void clock.at(clock.now() + latencyMs, run)
  const open = (address: string, _headers: unknown, handlers: ConnectionHandlers): Connection => {
    let isOpen = true
    const toClient = (run: () => void): void => later(() => isOpen && run())
    let session: ReturnType<ExchangeCore['connect']> | undefined
    const close = (why: string): void =>
      toClient(() => {
        isOpen = false
        handlers.closed(why)
      })
    later(() => {
      if (!isOpen) return
      const path = new URL(address).pathname + new URL(address).search
      const refusal = core.refuse(path)
      if (refusal) {
        toClient(() => {
          isOpen = false
          handlers.closed(`answered ${refusal.status}`, refusal)
        })
        return
      }
      toClient(() => handlers.opened())
      session = core.connect(path, {
        send: (text) =>
          toClient(() => {
            delivered(text)
            handlers.message(text)
          }),
        pong: () => toClient(() => handlers.ponged()),
        close: () => close('cut'),
        closeWithin: () => close('cut in a message'),
      })
    })
    return {
      send: (text) => later(() => session?.receive(text)),
      ping: () => later(() => session?.ping()),
      close: () => {
        isOpen = false
        later(() => session?.closed())
      },
    }
  }
  return {
    socket: open,
    stream: open,
    get: (address) =>
      new Promise((resolve, reject) => {
        later(() => {
          const answer = core.call(new URL(address).pathname + new URL(address).search)
          later(() => (answer.status === 200 ? resolve(answer.body) : reject(new HttpError(answer))))
        })
      }),
  }
}
