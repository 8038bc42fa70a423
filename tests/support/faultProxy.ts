import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/**
 * How one response is lost. `hang`: it never arrives. `reset`: the connection breaks when it would arrive. `request`:
 * the connection breaks before the venue receives the request.
 */
export type Loss = 'hang' | 'reset' | 'request'

export type FaultProxy = {
  readonly port: number
  readonly url: string
  /** Breaks every connection and refuses new ones, as a lost network does. */
  cut(): void
  /** Keeps connections open but forwards nothing, as in a tunnel. */
  stall(): void
  /**
   * Loses the response to the next request that begins with `start`; everything else passes. `request` stays in force
   * until the next call, because browsers repeat a request by themselves when its connection breaks.
   */
  loseNext(start: string, way: Loss): void
  /** From now on drops the venue's responses, while requests still reach it. */
  dropAnswers(): void
  restore(): void
  /** New connections go to another port. Those that `stall` has silenced stay silent, as if their machine were gone. */
  moveTo(targetPort: number): void
  /** How many connections are open. */
  connections(): number
  close(): Promise<void>
}

/** A TCP proxy between client and venue that a test can make fail like a network. */
export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  let mode: 'open' | 'cut' | 'stall' | 'drop' = 'open'
  let target = targetPort
  const pairs = new Set<[Socket, Socket]>()
  const silent = new WeakSet<Socket>()
  let losing: { start: string; way: Loss } | null = null
  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy()
      return
    }
    const venue = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [client, venue]
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      venue.destroy()
    }
    let lost: Loss | null = null
    client.on('data', (bytes) => {
      if (losing && bytes.toString('latin1', 0, losing.start.length) === losing.start) {
        lost = losing.way
        if (lost !== 'request') losing = null
      }
      if (lost === 'request') end()
      else if (mode !== 'stall' && !silent.has(client)) venue.write(bytes)
    })
    venue.on('data', (bytes) => {
      if (lost === 'reset') end()
      else if (lost === null && mode === 'open' && !silent.has(client)) client.write(bytes)
    })
    const endUnlessSilent = (): void => {
      if (mode !== 'stall' && !silent.has(client)) end()
    }
    client.on('close', end).on('error', end)
    venue.on('close', endUnlessSilent).on('error', endUnlessSilent)
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
    loseNext: (start, way) => {
      losing = { start, way }
    },
    dropAnswers: () => {
      mode = 'drop'
    },
    restore: () => {
      const broken = mode === 'stall' || mode === 'drop'
      mode = 'open'
      if (broken) breakAll()
    },
    moveTo: (port) => {
      if (mode === 'stall') for (const [client] of pairs) silent.add(client)
      target = port
      mode = 'open'
    },
    connections: () => pairs.size,
    close: () => {
      breakAll()
      return new Promise((done) => void server.close(() => done()))
    },
  }
}
