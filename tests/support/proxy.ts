import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type FaultProxy = {
  readonly port: number
  readonly url: string
  /** Breaks every connection and refuses new ones, as a lost network does. */
  cut(): void
  /** Keeps connections open but lets nothing through, as a tunnel does. */
  stall(): void
  /** Swallows what the venue answers from now on, while requests still arrive there. */
  dropAnswers(): void
  restore(): void
  close(): Promise<void>
}

/** A TCP proxy between client and venue that a test can make fail in the ways networks do. */
export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  let mode: 'open' | 'cut' | 'stall' | 'drop' = 'open'
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy()
      return
    }
    const venue = connect(targetPort, '127.0.0.1')
    const pair: [Socket, Socket] = [client, venue]
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      venue.destroy()
    }
    client.on('data', (bytes) => mode !== 'stall' && venue.write(bytes))
    venue.on('data', (bytes) => mode === 'open' && client.write(bytes))
    for (const socket of pair) socket.on('close', end).on('error', end)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const breakAll = (): void => {
    for (const [client] of pairs) client.destroy()
  }
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cut: () => {
      mode = 'cut'
      breakAll()
    },
    stall: () => {
      mode = 'stall'
    },
    dropAnswers: () => {
      mode = 'drop'
    },
    restore: () => {
      const broken = mode === 'stall' || mode === 'drop'
      mode = 'open'
      if (broken) breakAll()
    },
    close: () => {
      breakAll()
      return new Promise((done) => void server.close(() => done()))
    },
  }
}
