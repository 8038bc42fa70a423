import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Market } from '../ports.ts'
import { hasDeskKey } from './loopback.ts'
import { Refusal } from './refusal.ts'

export type MetricsParts = {
  market: Market
  deskKey: string
  sockets: () => { sockets: number; audiences: number; cut: number }
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** `GET /metrics`: Prometheus text for the desk's key. Without it there is no such page, from wherever it is asked. */
export function installMetrics(app: FastifyInstance, parts: MetricsParts): void {
  const { gate } = app
  const register = new Registry()
  collectDefaultMetrics({ register })
  const durations = new Histogram({
    name: 'uptick_http_request_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [register],
  })
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read())
      },
    })
  gauge('uptick_sockets', 'Connected sockets', () => parts.sockets().sockets)
  gauge('uptick_audiences', 'Different sets of products watched', () => parts.sockets().audiences)
  gauge(
    'uptick_sockets_cut',
    'Sockets cut since the start because they did not keep up',
    () => parts.sockets().cut,
  )
  watermarkGauge(register, parts.market, gate.clock)

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!hasDeskKey(request, parts.deskKey)) {
      gate.limits.take('deskKey', request.ip)
      throw new Refusal(404, 'NOT_FOUND')
    }
    return reply.type(register.contentType).send(await register.metrics())
  })
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
