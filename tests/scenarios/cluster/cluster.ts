import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProductRow } from '../../../server/market/feed/products.ts'
import { configFile } from '../../support/configFile.ts'
import { openExchange, type RunningExchange } from '../../support/exchange/openExchange.ts'
import { faultProxy, type FaultProxy } from '../../support/faultProxy.ts'
import { natsServer } from '../../support/nats.ts'
import { productRow } from '../../support/productRow.ts'
import { openScratchPostgres, type ScratchPostgres } from '../../support/scratchPostgres.ts'
import { nodeFlags, startVenue, type VenueProcess } from '../../support/venueProcess.ts'
import { rateBp, tradedProduct } from '../kill/trader.ts'

export type ClusterFeed = 'synthetic' | 'live'

export type ClusterNode = VenueProcess & {
  url: string
  /** Between the node and PostgreSQL, and between it and NATS. */
  database: FaultProxy
  bus: FaultProxy
  /** Whether a test has begun to end it: only then it may leave a request without an answer. */
  isEnding: () => boolean
  hasExited: () => boolean
}

/** How far a node's system clock is ahead of this machine's, ms. */
type NodeClock = { clockAheadMs?: number }

/** Nodes on one PostgreSQL and one NATS server, each of them reached through proxies that a test can cut. */
export type Cluster = {
  scratch: ScratchPostgres
  /** What the live products listen to; none with computed prices. */
  exchanges: readonly RunningExchange[]
  /** Starts a node that may lead. With live prices it returns once the node has heard them for a while. */
  startCandidate(clock?: NodeClock): Promise<ClusterNode>
  /** @param port default: any free one, which is open from the beginning of its start */
  startEdge(port?: number): Promise<ClusterNode>
  /** Starts nodes at once, and returns when each serves. */
  startAll(nodes: readonly (NodeClock & { role: 'auto' | 'edge' })[]): Promise<ClusterNode[]>
  /** The node that the lease names. */
  leader(): Promise<ClusterNode>
  /** The nodes that may lead and have not exited. */
  candidates(): ClusterNode[]
  /** The edges that have not exited, the eldest first. */
  edges(): ClusterNode[]
  /** What every node has written so far. */
  outputs(): string[]
  /** Term and number of the newest flush. */
  newest(): Promise<{ term: number; id: number }>
  close(): Promise<void>
}

/** An order of the live product settles as soon after its placement as the computed one's. */
const liveTerms = { entryDelayMs: 100, entryTimeoutMs: 400, exitWindowMs: 400, exitMinTicks: 1 }
/** Of the live product: many orders of the longer one close late in a downtime. */
export const liveDurations = [1, 5]
const liveProducts: ProductRow[] = [
  productRow('TEST', {
    ...liveTerms,
    durations: liveDurations.map((seconds) => ({ seconds, rateBp, min: '1.00', max: '1000.00' })),
    feed: { exchange: 'binance', symbol: 'BTCUSDT' },
  }),
  productRow('WITNESSED', {
    feed: {
      exchange: 'binance',
      symbol: 'ETHUSDT',
      witness: { exchange: 'coinbase', symbol: 'ETH-USD', maxDeviationBp: 100 },
    },
  }),
]
const shiftedDate = new URL('../../support/shiftedDate.mjs', import.meta.url).href
export const venueKey = 'ab'.repeat(32)
/** Of every node: with it a test reads their metrics. */
export const deskKey = 'a-desk-key-for-the-cluster-alone'
/** Trades of each symbol per second. */
const tradeRate = 20
/** So many trades after the connections of a node it has surely heard one that is logged. */
const heardTrades = 40
const pollMs = 5

export type ClusterPlan = {
  /** The bundled venue's `main.js`. */
  main: string
  feed: ClusterFeed
  seed: number
  /** What is traded instead of the tests' own product; with computed prices only. */
  products?: readonly ProductRow[]
  /**
   * Nodes reach PostgreSQL at the address that this returns, and NATS at its own: for measurements, which the proxies
   * of faults would delay.
   */
  direct?: (databaseUrl: string) => string
  /** The PostgreSQL server, if not that of all tests. */
  server?: string
}

export async function openCluster(plan: ClusterPlan): Promise<Cluster> {
  const { main, feed, seed, direct, server, products = [tradedProduct] } = plan
  const folder = await mkdtemp(join(tmpdir(), 'uptick-cluster-'))
  const scratch = await openScratchPostgres('cluster', server)
  const exchanges = feed === 'live' ? await openExchanges(seed) : []
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify(feed === 'live' ? liveProducts : products))
  const config = configFile(folder, {
    practice: { balance: '900000.00' },
    exchangeAddresses: { binance: exchanges[0]?.url, coinbase: exchanges[1]?.url },
  })
  const nodes: ClusterNode[] = []
  const byHost = new Map<string, ClusterNode>()

  const candidates: ClusterNode[] = []
  const edges: ClusterNode[] = []
  const start = async (
    role: 'auto' | 'edge',
    { clockAheadMs = 0, port = 0 }: NodeClock & { port?: number } = {},
  ): Promise<ClusterNode> => {
    const database = await proxyOf(scratch.url)
    const bus = await proxyOf(natsServer())
    const env = {
      ...(role === 'edge' && { ROLE: role }),
      PORT: String(port),
      DATA_DIR: join(folder, `data-${nodes.length}`),
      DATABASE_URL: direct?.(scratch.url) ?? database.address,
      BUS_URL: direct ? natsServer() : bus.address,
      PRODUCTS_FILE: productsFile,
      CONFIG_FILE: config,
      RATE_LIMITS: 'off',
      VENUE_KEY: venueKey,
      DESK_KEY: deskKey,
      LOG_LEVEL: 'error',
      ...(feed === 'live' && { FEED: 'live' }),
    }
    const flags = clockAheadMs === 0 ? [] : ['--import', `${shiftedDate}?aheadMs=${clockAheadMs}`]
    const process = startVenue([main], env, [...nodeFlags, ...flags])
    const state = { isEnding: false, hasExited: false }
    void process.exited.then(() => (state.hasExited = true))
    const node: ClusterNode = {
      ...process,
      url: '',
      database: database.proxy,
      bus: bus.proxy,
      isEnding: () => state.isEnding,
      hasExited: () => state.hasExited,
      end: (signal) => {
        state.isEnding = true
        return process.end(signal)
      },
    }
    nodes.push(node)
    node.url = await node.ready
    byHost.set(new URL(node.url).host, node)
    const running = role === 'edge' ? edges : candidates
    running.push(node)
    return node
  }
  return {
    scratch,
    exchanges,
    startCandidate: async (clock) => {
      const before = exchanges.map(({ core }) => core.sessionCount)
      const node = await start('auto', clock)
      // The first one leads: nothing of what it has not heard yet is expected of it.
      if (candidates.length > 1)
        await Promise.all(exchanges.map(({ core }, i) => waitUntilHeard(core, (before[i] ?? 0) + 2)))
      return node
    },
    startEdge: (port = 0) => start('edge', { port }),
    startAll: (all) => Promise.all(all.map(({ role, ...clock }) => start(role, clock))),
    leader: async () => {
      const { rows } = await scratch.database.pool.query<{ address: string }>('SELECT address FROM lease')
      const node = byHost.get(rows[0]?.address ?? '')
      if (!node) throw new Error(`no node has the leader's address ${rows[0]?.address}`)
      return node
    },
    candidates: () => candidates.filter((node) => !node.hasExited()),
    edges: () => edges.filter((node) => !node.hasExited()),
    outputs: () => nodes.map((node) => node.output()),
    newest: async () => {
      const { rows } = await scratch.database.pool.query<{ term: number; id: number }>(
        'SELECT term::int AS term, id::int AS id FROM tick_batch ORDER BY id DESC LIMIT 1',
      )
      return rows[0] ?? { term: 0, id: 0 }
    },
    close: async () => {
      for (const node of nodes) node.signal('SIGCONT')
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      await Promise.all(nodes.flatMap(({ database, bus }) => [database.close(), bus.close()]))
      await Promise.all(exchanges.map((exchange) => exchange.close()))
      await scratch.drop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Two exchanges that never agree on a price: the witness is logged, and refuses orders of a product nobody trades. */
const openExchanges = (seed: number): Promise<RunningExchange[]> =>
  Promise.all([
    openExchange('binance', { symbols: ['BTCUSDT', 'ETHUSDT'], seed, rate: tradeRate }),
    openExchange('coinbase', { symbols: ['ETH-USD'], seed: seed + 1, rate: tradeRate }),
  ])

async function proxyOf(address: string): Promise<{ proxy: FaultProxy; address: string }> {
  const url = new URL(address)
  const proxy = await faultProxy(Number(url.port))
  return { proxy, address: Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) }).href }
}

async function waitUntilHeard(core: RunningExchange['core'], connections: number): Promise<void> {
  while (core.sessionCount < connections) await wait(pollMs)
  const trades = core.trades.length + heardTrades
  while (core.trades.length < trades) await wait(pollMs)
}
