import { TokenBucket } from '../../platform/tokenBucket.ts'
import type { Clock } from '../../platform/ports.ts'
import { FrameCounter } from './frameCounter.ts'
import type { Connection } from './socketClient.ts'
import { unsentBytes } from './webSocketClient.ts'

/** What one socket may send, in frames of any kind, or packets and polls, and in bytes. Our client sends a few frames per minute. */
export const frameRate = { calls: 100, perMs: 1000, burst: 100 } as const
export const byteRate = { calls: 64 * 1024, perMs: 1000, burst: 64 * 1024 } as const

/** A packet for a namespace other than the default one. No others exist. */
const otherNamespace = /^\d+-?\//
export const isOtherNamespace = (data: unknown): boolean =>
  typeof data === 'string' && otherNamespace.test(data)

/**
 * Counts what a client sends over a WebSocket as it arrives, before it is parsed, and destroys the connection if it sends
 * too much, addresses another namespace, or requests without reading the answers. Must be called before the first byte is read.
 */
export function limitInbound(
  connection: Connection,
  clock: Pick<Clock, 'now'>,
  bufferedMaxBytes: number,
): void {
  const tcp = connection.request.socket
  const frames = new TokenBucket(frameRate, clock.now())
  const bytes = new TokenBucket(byteRate, clock.now())
  const counter = new FrameCounter()
  // The WebSocket's own readers get only the data that is allowed.
  const readers = tcp.listeners('data') as ((chunk: Buffer) => void)[]
  // One by one: after `removeAllListeners` every event of the socket would cost more time and memory.
  for (const reader of readers) tcp.off('data', reader)
  tcp.on('data', (chunk: Buffer) => {
    // On close, the WebSocket itself reads the remaining buffers.
    if (tcp.destroyed) return
    const now = clock.now()
    const isAllowed =
      bytes.take(now, chunk.length) === 0 &&
      frames.take(now, counter.count(chunk)) === 0 &&
      unsentBytes(connection, tcp) <= bufferedMaxBytes
    if (!isAllowed) tcp.destroy()
    else for (const reader of readers) reader.call(tcp, chunk)
  })
  connection.prependListener('data', (data: unknown) => {
    if (isOtherNamespace(data)) tcp.destroy()
  })
}
