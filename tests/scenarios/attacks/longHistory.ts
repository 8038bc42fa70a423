import { readFileSync } from 'node:fs'
import type { Order } from '../../../contract/orders.ts'
import { registerMember, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import type { ScratchPostgres } from '../../support/scratchPostgres.ts'
import { startVenue } from '../../support/venueProcess.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'

export type HistoryReport = {
  /** Lines of all files. */
  lines: number
  grownMb: number
  slowestMs: number
  problems: string[]
}

const grownMaxMb = 400
const answerMaxMs = 3000
const megabyte = 1024 * 1024

/** A member with `orders` orders asks for all of them as a file, `atOnce` times at once. The venue must stay up, small and prompt. */
export async function exportLongHistory(
  main: string,
  scratch: ScratchPostgres,
  { orders, atOnce, log }: { orders: number; atOnce: number; log: (line: string) => void },
): Promise<HistoryReport> {
  const folder = await scratchFolder()
  const venue = startVenue([main], {
    DATA_DIR: folder.path,
    DATABASE_URL: scratch.url,
    PRODUCTS_FILE: 'tests/e2e/products.json',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  })
  try {
    const url = await venue.ready
    const member = await registerMember(url, 'history1', '13800000001')
    await settleOne(member)
    await plant(scratch, orders)
    log(`${orders} orders planted`)
    return await measure(url, member, venue.pid, atOnce)
  } finally {
    await venue.end('SIGTERM')
    await folder.remove()
  }
}

async function settleOne(member: BlackBoxClient): Promise<void> {
  const order = { productId: 'BTCUSDT', direction: 'up', amount: '1.00', seconds: 5, rateBp: 8000 }
  const answer = await member.postWithKey<Order>('/api/orders', { ...order, validUntil: Date.now() + 20_000 })
  if (answer.status !== 201) throw new Error(answer.text)
  const isOpen = async (): Promise<boolean> =>
    /accepted|open|settling/.test((await member.get<Order>(`/api/orders/${answer.body.id}`)).body.status)
  while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 500))
}

/** Copies of the settled order, past the triggers that would look for the money of each. */
async function plant({ database }: ScratchPostgres, orders: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('SET session_replication_role = replica; SET statement_timeout = 0')
    await client.query(
      `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object(
         'id', gen_random_uuid(), 'key', gen_random_uuid(), 'no', 'X' || g))).*
       FROM orders o, generate_series(1, $1::int) g`,
      [orders],
    )
    await client.query('RESET session_replication_role; RESET statement_timeout')
  } finally {
    client.release()
  }
}

async function measure(
  url: string,
  { session }: BlackBoxClient,
  pid: number,
  atOnce: number,
): Promise<HistoryReport> {
  const report: HistoryReport = { lines: 0, grownMb: 0, slowestMs: 0, problems: [] }
  const before = residentMb(pid)
  const done = new AbortController()
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const begun = performance.now()
      const { status } = await fetch(`${url}/api/products`)
      if (status !== 200) report.problems.push(`GET /api/products answered ${status}`)
      report.slowestMs = Math.max(report.slowestMs, Math.round(performance.now() - begun))
      report.grownMb = Math.max(report.grownMb, residentMb(pid) - before)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const download = async (): Promise<void> => {
    const answer = await fetch(`${url}/api/orders.csv`, { headers: { cookie: session.cookie } })
    // A member has a limited number of downloads at a time: the others are refused.
    if (answer.status !== 200 && answer.status !== 429)
      report.problems.push(`GET /api/orders.csv answered ${answer.status}`)
    for await (const piece of answer.body ?? [])
      for (const byte of piece as Uint8Array) if (byte === 10) report.lines += 1
  }
  const watching = watch()
  try {
    await Promise.all(Array.from({ length: atOnce }, download))
  } finally {
    done.abort()
    await watching
  }
  if (report.grownMb > grownMaxMb) report.problems.push(`memory grew by ${report.grownMb} MB`)
  if (report.slowestMs > answerMaxMs) report.problems.push(`an answer took ${report.slowestMs} ms`)
  return report
}

/** Of a process on Linux. */
const residentMb = (pid: number): number =>
  Math.round((Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / megabyte)
