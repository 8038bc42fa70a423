import { Server, type Client } from 'mock-socket'
import { fakeWireMarket } from '../../support/fakeWireMarket.ts'
import { fakeWire } from '../../support/fakeWire.ts'

/** Packet prefixes of engine.io 4 and socket.io 5, as they start a frame. */
const packet = {
  open: '0',
  close: '1',
  ping: '2',
  pong: '3',
  connect: '40',
  disconnect: '41',
  event: '42',
  ack: '43',
}

/**
 * A venue behind mock-socket that speaks engine.io 4, with a fake market. For the real socket.io client on fake timers.
 */
export function mockVenue(url: string, ids: string[]) {
  const transport = fakeWire()
  const market = fakeWireMarket(transport, ids)
  const server = new Server(url, { mock: false })
  const clients = new Set<Client>()
  const received: string[] = []
  const send = (frame: string): void => {
    for (const client of clients) client.send(frame)
  }
  const events = transport.wire.event$.subscribe((event) => {
    if (event.kind === 'event') send(`${packet.event}${JSON.stringify([event.name, event.data])}`)
  })
  const call = async (client: Client, id: string, [name, payload]: [string, unknown]): Promise<void> => {
    const { products = [], mode = 'all' } = payload as { products?: string[]; mode?: 'all' | 'latest' }
    const { subscribe, unsubscribe, clock } = transport.wire
    const calls = { subscribe: () => subscribe(products, mode), unsubscribe: () => unsubscribe(products) }
    const answer = await (name === 'clock' ? clock(payload as number) : calls[name as keyof typeof calls]())
    client.send(`${packet.ack}${id}${JSON.stringify([answer])}`)
  }
  server.on('connection', (client) => {
    clients.add(client)
    const open = { sid: 'e1', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000_000 }
    client.send(`${packet.open}${JSON.stringify(open)}`)
    client.on('message', (message) => {
      if (typeof message !== 'string') return
      received.push(message)
      const request = /^42(\d+)(\[.*\])$/.exec(message)
      if (message === packet.connect) {
        transport.up()
        client.send(`${packet.connect}{"sid":"s1"}`)
        client.send(
          `${packet.event}${JSON.stringify(['hello', { now: market.now, build: 'b', heartbeatMs: 1000 }])}`,
        )
      } else if (request) void call(client, request[1]!, JSON.parse(request[2]!) as [string, unknown])
    })
    const beat = setInterval(() => {
      if (!transport.silent) client.send(packet.ping)
    }, open.pingInterval)
    client.on('close', () => {
      clearInterval(beat)
      clients.delete(client)
      if (clients.size === 0 && transport.isUp()) transport.down()
    })
  })
  return {
    transport,
    market,
    /** Frames from the client, in order. */
    received,
    send,
    ping: () => send(packet.ping),
    clients: () => clients.size,
    /** Breaks every connection, as a lost network does. */
    dropConnections: () => {
      if (transport.isUp()) transport.down()
      for (const client of clients) client.close({ code: 1006, reason: '', wasClean: false })
      clients.clear()
    },
    close: () => {
      events.unsubscribe()
      server.stop()
    },
  }
}
