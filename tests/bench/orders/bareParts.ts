import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import type { Pool } from 'pg'
import { order, placeRequest, type Order } from '../../../contract/orders.ts'

/** A Fastify server with one route that validates an order request and answers a finished order. */
export async function openBareServer(answer: Order): Promise<{ url: string; close: () => Promise<void> }> {
  const app = fastify()
  app.setValidatorCompiler(() => (data) => {
    const parsed = placeRequest.safeParse(data)
    return parsed.success ? { value: parsed.data } : { error: new Error('invalid') }
  })
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.post(
    '/api/orders',
    { schema: { body: placeRequest, response: { 201: order } } },
    async (_request, reply) => reply.code(201).send(answer),
  )
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

/** A placing statement as the venue sent it. */
export type PlacedBatch = { text: string; values: unknown[] }
type PlacedRow = { id: string; no: string; key: string }

/** Records the placing statements that go through a pool until `stop`. */
export function recordBatches(pool: Pool): { batches: PlacedBatch[]; stop: () => void } {
  const batches: PlacedBatch[] = []
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const recorded = (...args: unknown[]): unknown => {
    const [config] = args
    if (isPlacing(config)) batches.push({ text: config.text, values: config.values })
    return query(...args)
  }
  Object.assign(pool, { query: recorded })
  return { batches, stop: () => void Object.assign(pool, { query }) }
}

const isPlacing = (config: unknown): config is PlacedBatch & { name: string } =>
  typeof config === 'object' && config !== null && 'name' in config && config.name === 'place orders'

export const ordersIn = ({ values }: PlacedBatch): number => rowsOf(values).length

/** Sends recorded statements again as new orders, one after the other on one connection; returns orders a second. */
export async function resendBatches(
  pool: Pool,
  batches: readonly PlacedBatch[],
  ms: number,
): Promise<number> {
  const client = await pool.connect()
  try {
    const started = performance.now()
    let placed = 0
    for (let i = 0; performance.now() - started < ms; i++) {
      const batch = batches[i % batches.length]
      if (!batch) throw new Error('no batch was recorded')
      const rows = rowsOf(batch.values).map((row) => {
        const id = randomUUID()
        return { ...row, id, no: id.replaceAll('-', '').slice(0, 20).toUpperCase(), key: randomUUID() }
      })
      const values = [JSON.stringify(rows), ...batch.values.slice(1)]
      const { rowCount } = await client.query({ name: 'place orders again', text: batch.text, values })
      if (rowCount === 0) throw new Error('the statement placed nothing')
      placed += rows.length
    }
    return (placed * 1000) / (performance.now() - started)
  } finally {
    client.release()
  }
}

const rowsOf = (values: readonly unknown[]): PlacedRow[] => JSON.parse(String(values[0])) as PlacedRow[]
