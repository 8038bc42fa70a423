import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client'
import { decodeTicks } from '../../contract/socket.ts'
import type { TickFrame } from '../../contract/socket.ts'
import { createListener } from '../../server/http/listener.ts'
import { noRateLimits } from '../../server/http/rateLimiter.ts'
import { createMemberSockets } from '../../server/realtime/memberSockets.ts'
import { createRealtime } from '../../server/realtime/realtime.ts'
import type { RealtimeParts } from '../../server/realtime/realtime.ts'
import { manualClock } from './manualClock.ts'
import { singleMemberAuthenticator } from './httpApp.ts'
import { fakeMarket, testProduct } from './fakeMarket.ts'

/** The venue's sockets on a real port, with a manual clock and a fake market. */
export async function openRealtimeVenue(ids: readonly string[], parts: Partial<RealtimeParts> = {}) {
  const clock = manualClock()
  const market = fakeMarket(
    clock,
    ids.map((id) => ({ ...testProduct, id, code: id })),
  )
  const members = createMemberSockets(clock)
  const listener = createListener(clock)
  const errors: unknown[] = []
  const realtime = createRealtime({
    server: listener.server,
    clock,
    market,
    members,
    authenticator: singleMemberAuthenticator,
    build: 'test',
    publicOrigin: null,
    trustProxy: false,
    rateLimiter: noRateLimits,
    report: (_message, error) => void errors.push(error),
    ...parts,
  })
  const address: AddressInfo = await listener.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${address.port}`
  const clients: Socket[] = []

  /** A connected client with every event it received, in order. */
  const connect = async (
    headers: Record<string, string> = {},
    options: Partial<ManagerOptions & SocketOptions> = {},
  ) => {
    const socket = io(url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: headers,
      ...options,
    })
    clients.push(socket)
    const received: [event: string, payload: unknown][] = []
    socket.onAny((event: string, payload: unknown) => void received.push([event, payload]))
    const hello = new Promise<void>((resolve, reject) => {
      socket.once('hello', () => resolve())
      socket.once('connect_error', reject)
    })
    await hello
    return {
      socket,
      received,
      eventsOf: <T>(event: string): T[] =>
        received.filter(([name]) => name === event).map(([, payload]) => payload as T),
      frames: (): TickFrame[] =>
        received.filter(([name]) => name === 'ticks').map(([, data]) => decodeTicks(data)!),
      request: <T>(event: string, payload: unknown): Promise<T> =>
        socket.emitWithAck(event, payload) as Promise<T>,
      /** Resolves after the client has received everything the venue wrote before this request. */
      sync: async () => void (await socket.emitWithAck('clock', 0)),
    }
  }
  return {
    clock,
    market,
    members,
    listener,
    realtime,
    errors,
    url,
    connect,
    close: async () => {
      for (const client of clients) client.disconnect()
      realtime.close()
      await listener.close()
    },
  }
}
export type RealtimeVenue = Awaited<ReturnType<typeof openRealtimeVenue>>
export type SocketClient = Awaited<ReturnType<RealtimeVenue['connect']>>
