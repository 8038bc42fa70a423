import { Transport } from 'engine.io-client'
import type { WireOptions } from '../../streams/index.ts'

/**
 * A transport without a network: fed text passes through the whole client, as the text of a WebSocket message does. It
 * also simulates the venue's side of the handshake.
 */
export function feedTransport(): {
  transports: NonNullable<WireOptions['transports']>
  feed: (text: string) => void
} {
  let emit = (_text: string): void => undefined
  class FeedTransport extends Transport {
    get name(): string {
      return 'websocket'
    }

    protected doOpen(): void {
      emit = (text) => this.onData(text)
      setImmediate(() => {
        this.onOpen()
        this.onData(
          '0{"sid":"e","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}',
        )
      })
    }

    protected doClose(): void {
      emit = () => undefined
    }

    protected write(packets: { data?: unknown }[]): void {
      // Answers the socket.io connect packet as the venue does.
      if (packets.some(({ data }) => data === '0')) setImmediate(() => this.onData('40{"sid":"s"}'))
      this.writable = true
    }
  }
  return { transports: [FeedTransport], feed: (text) => emit(text) }
}
