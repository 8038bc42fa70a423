import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Gap } from '../../../contract/settle.ts'
import { blackBoxClient, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { createSocketClients } from '../../support/socketClients.ts'
import { findings, type Findings } from '../findings.ts'
import { percentile } from '../../soak/row.ts'
import { openAttackedVenue, type AttackedVenue, type Engine } from './attackedVenue.ts'

const connections = 100
const restMs = 1000
/** A flush that is later than this is a gap, which refunds. */
const watermarkMaxMs = 5000

type Load = { stop: () => Promise<void> }
type Attack = (venue: AttackedVenue) => Promise<Load>

/** Sends the same request over many connections as fast as answers come. */
const flood =
  (
    pathOf: (n: number) => string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Attack =>
  async ({ url }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const state = { isOver: false, sent: 0 }
    const one = (): Promise<void> =>
      new Promise((resolve) => {
        const { method = 'GET', headers = {}, body } = options
        const sent = request(url + pathOf((state.sent += 1)), { agent, method, headers }, (answer) => {
          answer.resume()
          answer.on('close', resolve)
        })
        sent.on('error', () => resolve())
        sent.end(body)
      })
    const lane = async (): Promise<void> => {
      while (!state.isOver) await one()
    }
    const lanes = Promise.all(Array.from({ length: connections }, lane))
    return {
      stop: async () => {
        state.isOver = true
        agent.destroy()
        await lanes
      },
    }
  }

/** Opens connections that send `text` and never read, and `drip` each second. */
const stall =
  (count: number, text: string, drip = ''): Attack =>
  async ({ url }) => {
    const port = Number(new URL(url).port)
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('error', () => undefined)
      return socket.pause()
    })
    const timer = setInterval(() => {
      if (drip !== '') for (const socket of sockets) if (!socket.destroyed) socket.write(drip)
    }, 1000)
    return {
      stop: async () => {
        clearInterval(timer)
        for (const socket of sockets) socket.destroy()
      },
    }
  }

const ticks = '/api/products/BTCUSDT/ticks?afterSeq=-4999&limit=5000'
const json = { 'content-type': 'application/json' }
const login = (account: string): string => JSON.stringify({ account, password: 'a wrong one' })
const attacks: Readonly<Record<string, Attack>> = {
  ticks: flood(() => ticks),
  candles: flood(
    (n) => `/api/products/BTCUSDT/candles?tf=1m&limit=1000&to=${Date.now() - (n % 600) * 60_000}`,
  ),
  products: flood(() => '/api/products?spark=true'),
  description: flood(() => '/api/openapi.json'),
  page: flood(() => '/'),
  status: flood(() => '/api/status'),
  'tiles of the log': flood((n) => `/log/tile/0/000.p/${1 + (n % 255)}`),
  'sessions that are none': flood(() => '/api/me/assets', { headers: { cookie: `sid=${'a'.repeat(43)}` } }),
  'log-ins of nobody': flood(() => '/api/auth/login', {
    method: 'POST',
    headers: json,
    body: login('nobody_01'),
  }),
  handshakes: flood(() => '/socket.io/?EIO=4&transport=polling'),
  'answers that nobody reads': stall(500, `GET ${ticks} HTTP/1.1\r\nHost: venue.test\r\n\r\n`),
  'heads that never end': stall(1000, 'GET /api/time HTTP/1.1\r\nHost: venue.test\r\nX-Slow: ', 'a'),
}

/** One address asks for all that the venue gives, within its limits; a member's orders and everybody's prices must not wait. */
export async function loadPublicCalls(
  main: string,
  engine: Engine,
  seconds: number,
  log: (line: string) => void,
): Promise<Findings & { note: string }> {
  const venue = await openAttackedVenue(main, engine, { env: { TRUST_PROXY: '1' } })
  const { found, expect } = findings()
  const orderMs: number[] = []
  const sockets = createSocketClients(async () => venue.url)
  try {
    const member = await venue.member()
    const oldest = await watch(sockets, venue.url)
    for (const [what, attack] of Object.entries(attacks)) {
      const begun = Date.now()
      oldest.reset()
      const load = await attack(venue)
      const times = await trade(member, begun + seconds * 1000, (why) =>
        expect(false, () => `${what}: ${why}`),
      )
      await load.stop()
      await wait(restMs)
      const { body } = await blackBoxClient(venue.url).get<{ items: Gap[] }>('/api/products/BTCUSDT/gaps')
      const gaps = body.items.filter(({ to }) => to === null || to > begun)
      expect(gaps.length === 0, () => `${what} made a gap: ${JSON.stringify(gaps)}`)
      expect(oldest.ageMs() < watermarkMaxMs, () => `${what}: prices were ${oldest.ageMs()} ms old`)
      log(
        `${engine}, ${what}: ${times.length} orders, p99 ${Math.round(percentile(times, 0.99))} ms, prices ≤ ${oldest.ageMs()} ms old`,
      )
      orderMs.push(percentile(times, 0.99))
    }
    expect(!venue.hasExited(), () => 'the venue ended')
  } finally {
    sockets.close()
    await venue.close()
  }
  return { ...found, note: `orders: p99 of the slowest ${Math.round(Math.max(...orderMs))} ms` }
}

/** Places orders until then. @returns how long each took, ms */
async function trade(
  member: BlackBoxClient,
  until: number,
  onRefused: (why: string) => void,
): Promise<number[]> {
  const times: number[] = []
  while (Date.now() < until) {
    const begun = performance.now()
    const { status, text } = await member.postWithKey('/api/orders', {
      productId: 'BTCUSDT',
      direction: 'up',
      amount: '1.00',
      seconds: 60,
      rateBp: 8500,
      validUntil: Date.now() + 20_000,
    })
    times.push(performance.now() - begun)
    if (status !== 201) onRefused(`an order was answered ${text}`)
    await wait(150)
  }
  return times
}

/** Watches from a page of its own how old the prices get. */
async function watch(sockets: ReturnType<typeof createSocketClients>, url: string) {
  const { socket } = await sockets.connect({ origin: url })
  let ageMs = 0
  let lastAt = Date.now()
  socket.on('feed', ({ p }: { p: Record<string, { watermark?: number }> }) => {
    lastAt = Date.now()
    for (const { watermark } of Object.values(p))
      if (watermark !== undefined) ageMs = Math.max(ageMs, lastAt - watermark)
  })
  await socket.emitWithAck('subscribe', { products: ['BTCUSDT'] })
  return {
    ageMs: (): number => Math.max(ageMs, Date.now() - lastAt),
    reset: (): void => {
      ageMs = 0
      lastAt = Date.now()
    },
  }
}
