import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { authRoutes } from '../../../contract/auth.ts'
import { orderRoutes } from '../../../contract/orders.ts'
import type { Db } from '../../platform/db/database.ts'
import { noRefunds, type RefundReader, type Market } from '../../market/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { freeBytes } from '../../platform/freeBytes.ts'
import { hasKey } from '../../platform/http/loopback.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { CheckMetricsParts } from './checkMetrics.ts'
import type { LogMetricsParts } from './logMetrics.ts'
import { nodeMetrics, type NodeMetricsParts } from './nodeMetrics.ts'
import { createVenueFigures } from './venueFigures.ts'
import { venueMetrics } from './venueMetrics.ts'
import type { ChecksSettings } from '../settings.ts'
import type { NoticesConfig } from '../../notices/settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type MetricsParts = NodeMetricsParts &
  Pick<LogMetricsParts, 'publicLog'> &
  Pick<CheckMetricsParts, 'nightlyChecks'> & {
    database: { db: Db }
    market: Market
    refunds: Pick<RefundReader, 'sums'>
    secrets: Pick<Secrets, 'deskKey'>
    settings: Pick<ChecksSettings, 'dataDir' | 'host' | 'port' | 'nodeName' | 'role' | 'metricsKey'> &
      OperatorSettings<NoticesConfig, 'recordsPerHour'>
    realtime: { counts(): { sockets: number; subscriptionGroups: number; terminated: number } }
  }

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `GET /metrics`: Prometheus text, with the metrics key or the desk key. Without a key it returns 404, even to local requests. */
export function createMetrics(parts: MetricsParts): Module {
  return { mount: (app) => mountMetrics(app, parts) }
}

function mountMetrics(app: FastifyInstance, parts: MetricsParts): void {
  const { requestContext } = app
  const { realtime, secrets, settings } = parts
  const { clock } = requestContext
  const register = new Registry()
  const collectOfProcess = processMetrics(register)
  register.setDefaultLabels({ node: settings.nodeName ?? `${hostname()}:${settings.port}` })
  const durations = new Histogram({
    name: 'uptick_http_request_seconds',
    help: 'Time to respond, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [register],
  })
  // From the start, so that an increase is seen with the first order that fails.
  for (const status of ['500', '503']) {
    const { method, path } = orderRoutes.placeOrder
    durations.zero({ method, route: `/api${path}`, status })
  }
  const gauge = (name: string, help: string, read: () => number | Promise<number>): Gauge =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read())
      },
    })
  gauge('uptick_sockets', 'Connected sockets', () => realtime.counts().sockets)
  gauge('uptick_audiences', 'Different sets of products watched', () => realtime.counts().subscriptionGroups)
  gauge(
    'uptick_sockets_cut',
    'Sockets terminated since the start because they did not keep up',
    () => realtime.counts().terminated,
  )
  watermarkGauge(register, parts.market, clock)
  gauge('uptick_data_free_bytes', 'Free bytes on the disk of the data folder', () =>
    freeBytes(settings.dataDir),
  )
  witnessGauge(register, parts.market)
  gapCounters(register, parts)
  nodeMetrics(register, parts)
  venueMetrics(register, { ...parts, clock, figures: createVenueFigures(parts.database.db, clock) })
  const loginFailures = new Counter({
    name: 'uptick_login_failures_total',
    help: 'Logins that this node refused since its start: wrong password or captcha, without work, locked, or too many',
    registers: [register],
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    durations.observe(labels, reply.elapsedTime / 1000)
    const isRefused = reply.statusCode > 400 && reply.statusCode < 500
    if (isRefused && route === `/api${authRoutes.login.path}`) loginFailures.inc()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const keys = [settings.metricsKey, secrets.deskKey]
    if (!keys.some((key) => key !== null && hasKey(request, key))) {
      requestContext.rateLimiter.take('deskKey', request.ip)
      throw new ApiError('NOT_FOUND')
    }
    collectOfProcess()
    return reply.type(register.contentType).send(await register.metrics())
  })
}

/** From the first reading on: the delay of the event loop is measured a hundred times a second. */
function processMetrics(register: Registry): () => void {
  let isCollecting = false
  return () => {
    if (!isCollecting) collectDefaultMetrics({ register })
    isCollecting = true
  }
}

function watermarkGauge(register: Registry, market: Market, clock: { now(): number }): void {
  const age = new Gauge({
    name: 'uptick_watermark_age_seconds',
    help: "How far a product's committed prices are behind the clock",
    labelNames: ['product'],
    registers: [register],
    collect() {
      const now = clock.now()
      for (const id of market.ids) age.set({ product: id }, (now - market.watermark(id)) / 1000)
    },
  })
}

function witnessGauge(register: Registry, market: Market): void {
  const agrees = new Gauge({
    name: 'uptick_witness_agrees',
    help: "Whether a product's second source confirms its prices: new orders are rejected at 0",
    labelNames: ['product'],
    registers: [register],
    collect() {
      for (const id of market.ids) {
        if (market.settings(id)?.witness === undefined) continue
        agrees.set({ product: id }, market.witnessVerdict(id) === 'agrees' ? 1 : 0)
      }
    },
  })
}

/** Counts gaps, and the orders that gaps and source changes refunded, since the log began; read from the database. */
function gapCounters(register: Registry, { market, refunds }: MetricsParts): void {
  const gaps = new Counter({
    name: 'uptick_gaps_total',
    help: 'Gaps in the feed of a product since its log began',
    labelNames: ['product'],
    registers: [register],
    async collect() {
      const counts = await Promise.all(market.ids.map(async (id) => (await market.gaps(id)).length))
      this.reset()
      market.ids.forEach((product, i) => gaps.inc({ product }, counts[i]))
    },
  })
  const refunded = new Counter({
    name: 'uptick_refunded_orders_total',
    help: 'Orders of a product that a gap or a change of its source refunded, by whether they were ahead',
    labelNames: ['product', 'stood'],
    registers: [register],
    async collect() {
      const sums = await refunds.sums().catch(() => null)
      this.reset()
      // Unavailable without the database. The other metrics show that it is down.
      if (sums === null) return
      for (const product of market.ids) {
        const { stood } = sums.get(product) ?? noRefunds
        for (const side of ['ahead', 'behind', 'level'] as const) {
          refunded.inc({ product, stood: side }, stood[side])
        }
      }
    },
  })
}
