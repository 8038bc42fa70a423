import { TokenBucket } from '../tokenBucket.ts'
import type { Clock } from '../ports.ts'
import { createFrameCounter } from './frameCounter.ts'
import { unsentBytes } from './socketClient.ts'
import type { Connection } from './socketClient.ts'

/** What one socket may send, in frames of any kind and in bytes. Our client sends a few frames per minute. */
const frameRate = { calls: 100, perMs: 1000, burst: 100 } as const
const byteRate = { calls: 64 * 1024, perMs: 1000, burst: 64 * 1024 } as const

/** A packet for a namespace other than the default one. No others exist. */
const otherNamespace = /^\d+-?\//

/**
 * Counts what a client sends as it arrives, before it is parsed, and destroys the connection if it sends too much,
 * addresses another namespace, or requests without reading the answers. Must be called before the first byte is read.
 */
export function limitInbound(
  connection: Connection,
  clock: Pick<Clock, 'now'>,
  bufferedMaxBytes: number,
): void {
  const tcp = connection.request.socket
  const frames = new TokenBucket(frameRate, clock.now())
  const bytes = new TokenBucket(byteRate, clock.now())
  const countFrames = createFrameCounter()
  const isAllowed = (chunk: Buffer): boolean => {
    const now = clock.now()
    return (
      bytes.take(now, chunk.length) === 0 &&
      frames.take(now, countFrames(chunk)) === 0 &&
      unsentBytes(connection) <= bufferedMaxBytes
    )
  }
  // The WebSocket's own readers get only the data that is allowed.
  const readers = tcp.listeners('data')
  tcp.removeAllListeners('data')
  const forward = (chunk: Buffer): void => {
    if (!isAllowed(chunk)) tcp.destroy()
    else for (const reader of readers) reader.call(tcp, chunk)
  }
  tcp.on('data', forward)
  // On close, the WebSocket itself reads the remaining buffers.
  tcp.prependOnceListener('close', () => tcp.off('data', forward))
  connection.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
    if (type === 'message' && typeof data === 'string' && otherNamespace.test(data)) tcp.destroy()
  })
}
