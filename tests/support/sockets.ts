import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client'
import { decodeTicks } from '../../contract/socket.ts'
import type { TickFrame } from '../../contract/socket.ts'
import { createFront } from '../../server/http/front.ts'
import { noLimits } from '../../server/http/limits.ts'
import { createMemberSockets } from '../../server/realtime/memberSockets.ts'
import { createRealtime } from '../../server/realtime/realtime.ts'
import type { RealtimeParts } from '../../server/realtime/realtime.ts'
import { manualClock } from './clock.ts'
import { oneMember } from './shell.ts'
import { handVenueMarket } from './venueMarket.ts'

/** The venue's sockets on a real port, with a clock and a market moved by hand. */
export async function openSockets(ids: readonly string[], parts: Partial<RealtimeParts> = {}) {
  const clock = manualClock()
  const market = handVenueMarket(ids, clock.now())
  const members = createMemberSockets(clock)
  const front = createFront(clock)
  const errors: unknown[] = []
  const realtime = createRealtime({
    server: front.server,
    clock,
    market,
    members,
    authenticator: oneMember,
    build: 'test',
    publicOrigin: null,
    trustProxy: false,
    limits: noLimits,
    onError: (error) => void errors.push(error),
    ...parts,
  })
  const address: AddressInfo = await front.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${address.port}`
  const clients: Socket[] = []

  /** A connected client with everything it was told, in order. */
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
    const heard: [event: string, payload: unknown][] = []
    socket.onAny((event: string, payload: unknown) => void heard.push([event, payload]))
    const hello = new Promise<void>((resolve, reject) => {
      socket.once('hello', () => resolve())
      socket.once('connect_error', reject)
    })
    await hello
    return {
      socket,
      heard,
      of: <T>(event: string): T[] =>
        heard.filter(([name]) => name === event).map(([, payload]) => payload as T),
      frames: (): TickFrame[] =>
        heard.filter(([name]) => name === 'ticks').map(([, data]) => decodeTicks(data)!),
      ask: <T>(event: string, payload: unknown): Promise<T> =>
        socket.emitWithAck(event, payload) as Promise<T>,
      /** Everything the venue wrote before this call has been heard when it is done. */
      caughtUp: async () => void (await socket.emitWithAck('clock', 0)),
    }
  }
  return {
    clock,
    market,
    members,
    front,
    realtime,
    errors,
    url,
    connect,
    close: async () => {
      for (const client of clients) client.disconnect()
      realtime.close()
      await front.close()
    },
  }
}
export type Sockets = Awaited<ReturnType<typeof openSockets>>
export type Client = Awaited<ReturnType<Sockets['connect']>>
