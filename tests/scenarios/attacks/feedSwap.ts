import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Order } from '../../../contract/orders.ts'
import { blackBoxClient, registerMember, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { configFile } from '../../support/configFile.ts'
import { productRow, walk } from '../../support/productRow.ts'
import { startVenue, type VenueProcess } from '../../support/venueProcess.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'

export type FeedSwapReport = { tried: number; steered: string[] }

const seconds = 120
const durations = [{ seconds, rateBp: 8500, min: '1.00', max: '1000.00' }]

/** Writes a table with a walk from `start` and a recording around `start`, both under the same names each time. */
function writeSources(folder: string, start: number): void {
  const rows = [
    productRow('WALK', { durations, feed: walk({ start, volatility: 0.001 }) }),
    productRow('TAPE', { durations, feed: { recording: 'tape.csv.gz' } }),
  ]
  writeFileSync(join(folder, 'products.json'), JSON.stringify(rows))
  const ticks = Array.from({ length: 200 }, (_, i) => `${1_700_000_000_000 + i * 100},${start + (i % 3)},1,,`)
  writeFileSync(join(folder, 'tape.csv.gz'), gzipSync(`ts_ms,price,size,bid,ask\n${ticks.join('\n')}\n`))
}

/**
 * Restarts a venue with open orders on other prices under the same names, half and double ones. It must not start, and with
 * the option that returns stakes it must return them: no order settles by a source that came after it.
 */
export async function swapFeeds(main: string, log: (line: string) => void): Promise<FeedSwapReport> {
  const report: FeedSwapReport = { tried: 0, steered: [] }
  for (const factor of [0.5, 2]) await swapOnce(main, factor, report)
  for (const line of report.steered) log(line)
  return report
}

async function swapOnce(main: string, factor: number, report: FeedSwapReport): Promise<void> {
  const folder = await scratchFolder()
  const dataDir = join(folder.path, 'data')
  const env = {
    DATA_DIR: dataDir,
    PRODUCTS_FILE: join(folder.path, 'products.json'),
    CONFIG_FILE: configFile(folder.path, { practice: { recordings: '.' } }),
    LOG_LEVEL: 'error',
  }
  let running: VenueProcess | null = null
  const start = (...args: string[]): VenueProcess => (running = startVenue([main, ...args], env))
  try {
    writeSources(folder.path, 100)
    const first = start()
    const member = await registerMember(await first.ready, 'swapped1', '13800000001')
    const orders: Order[] = []
    for (const productId of ['WALK', 'TAPE'])
      for (const direction of ['up', 'down']) orders.push(await placed(member, productId, direction))
    await first.end('SIGTERM')
    writeSources(folder.path, 100 * factor)
    const refused = start()
    const isRefused = await Promise.race([
      refused.exited.then((code) => code === 2),
      refused.ready.then(() => false),
    ])
    if (!isRefused) report.steered.push(`a start with prices times ${factor} and open orders was not refused`)
    await refused.end('SIGTERM')
    const client = blackBoxClient(await start('--refund-changed-sources').ready, member.session)
    for (const { id, no } of orders) {
      report.tried += 1
      const { status, reason } = await whenOver(client, id)
      if (status !== 'refunded' || reason !== 'SOURCE_CHANGED')
        report.steered.push(`order ${no} with prices times ${factor}: ${status} ${reason}`)
    }
  } finally {
    await (running as VenueProcess | null)?.end('SIGKILL')
    await folder.remove()
  }
}

async function placed(member: BlackBoxClient, productId: string, direction: string): Promise<Order> {
  const order = {
    productId,
    direction,
    amount: '10.00',
    seconds,
    rateBp: 8500,
    validUntil: Date.now() + 20_000,
  }
  const answer = await member.postWithKey<Order>('/api/orders', order)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

/** The order once it is settled, at the latest after its time. */
async function whenOver(client: BlackBoxClient, id: string): Promise<Order> {
  for (;;) {
    const { body } = await client.get<Order>(`/api/orders/${id}`)
    if (!['accepted', 'open', 'settling'].includes(body.status)) return body
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
