// oxlint-disable-next-line uptick/boundaries -- of the wire
import type { ManagerOptions, Socket } from 'socket.io-client'
import { blockedAfterMs } from '../../contract/constants.ts'

/** After a connection over long polling was lost: the next WebSocket probably does not open either. */
const blockedAgainAfterMs = 2000
/** A poll without an answer for this long is lost: the venue answers each within 25 s. */
export const pollTimeoutMs = 30_000

export type PollingTransports = ManagerOptions['transports']

/**
 * Asked each time that no WebSocket has opened for 20 s. Resolves with the transport of long polling if the venue answers now and allows it, otherwise with undefined. Must not
 * be rejected.
 */
export type FindPolling = () => Promise<PollingTransports | undefined>

/**
 * Lets a socket continue over long polling if no WebSocket opens although the venue answers. Each connection after a
 * lost one is tried over WebSocket first: the device may be in another network.
 * @returns `watch`: the socket begins to connect; `stop`: it does not connect any more
 */
export function fallBackToPolling(socket: Socket, findPolling: FindPolling) {
  const options = socket.io.opts
  const { transports: webSocket = [] } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What to use if the next WebSocket does not open either. */
  let polling: PollingTransports | undefined
  let hasPolled = false
  const isPolling = (): boolean => options.transports !== webSocket

  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
    polling = undefined
  }
  const watch = (): void => {
    stop()
    if (isPolling()) return
    timer = setTimeout(() => void tryPolling(), hasPolled ? blockedAgainAfterMs : blockedAfterMs)
  }
  const tryPolling = async (): Promise<void> => {
    const watched = timer
    const found = await findPolling()
    if (watched !== timer) return
    if (found === undefined) {
      watch()
      return
    }
    // The venue may have been away until now: only a WebSocket that does not open while it answers is blocked.
    if (hasPolled) options.transports = found
    else polling = found
    // At once instead of with the next attempt.
    socket.disconnect().connect()
  }
  socket.on('connect', () => {
    stop()
    hasPolled = isPolling()
  })
  socket.on('disconnect', () => {
    if (!socket.active) return
    options.transports = webSocket
    watch()
  })
  socket.on('connect_error', () => {
    // Rejected by the venue: that ends the attempts, over any transport.
    if (!socket.active) stop()
    else if (isPolling()) {
      options.transports = webSocket
      watch()
    } else if (polling !== undefined) options.transports = polling
  })
  return { watch, stop }
}
