import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { decodeDelta, decodeTicks, type TickFrame } from '../../contract/tickFrame.ts'

/** Clients of a venue's sockets, each of which records what it receives. */
export function createSocketClients(openUrl: () => Promise<string>) {
  const sockets: Socket[] = []

  /** A connected client with every event it received, in order. */
  const connect = async (
    headers: Record<string, string> = {},
    options: Partial<ManagerOptions & SocketOptions> = {},
  ) => {
    const socket = io(await openUrl(), {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: headers,
      ...options,
    })
    sockets.push(socket)
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
        received.flatMap(([name, data]) =>
          name === 'ticks' ? [decodeTicks(data)!] : name === 'delta' ? [decodeDelta(data)!] : [],
        ),
      request: <T>(event: string, payload: unknown): Promise<T> =>
        socket.emitWithAck(event, payload) as Promise<T>,
      /** Resolves after the client has received everything the venue wrote before this request. */
      sync: async () => void (await socket.emitWithAck('clock', 0)),
    }
  }
  return {
    connect,
    close: (): void => {
      for (const socket of sockets) socket.disconnect()
    },
  }
}
export type SocketClient = Awaited<ReturnType<ReturnType<typeof createSocketClients>['connect']>>
