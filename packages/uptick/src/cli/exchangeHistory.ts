import * as z from 'zod/mini'
import { instantFault } from '../../../../contract/recordedInstant.ts'
import { restTick, type RestTick } from '../../../../contract/products.ts'
import { parseRounded, parseTruncated } from '../../../../contract/price.ts'
import { binanceRows } from './binanceHistory.ts'
import { coinbaseRows } from './coinbaseHistory.ts'
import { UsageError, messageOf } from './command.ts'
import { krakenRows } from './krakenHistory.ts'
import type { HistoryRow } from './historyRow.ts'

/** What differs from the exchange's file, as `verify` prints it; null: nothing. `ticks` were compared. */
type HistoryVerdict = { ticks: number; differs: Record<string, unknown> | null }

const comparable = z.object({
  order: z.object({ terms: z.object({ priceDecimals: z.int() }) }),
  ticks: z.array(restTick),
  gaps: z.array(z.unknown()),
  source: z.string(),
})
type LiveTick = Extract<RestTick, { length: 6 }>

type History = {
  /** The rows of a file, in any order. */
  rows: (path: string) => AsyncIterable<HistoryRow>
  /** So much the instants in the file may differ from those of the feed, in ms. */
  instantSlackMs: number
  /** An aggregate may have numbers of fills outside the market, which are no ticks: one tick of it is enough. */
  hasOtherFills: boolean
}

/** What each exchange publishes, by the name in a fingerprint. */
const histories: Partial<Record<string, History>> = {
  binance: { rows: binanceRows, instantSlackMs: 0, hasOtherFills: false },
  'binance-usdm': { rows: binanceRows, instantSlackMs: 0, hasOtherFills: true },
  coinbase: { rows: coinbaseRows, instantSlackMs: 0, hasOtherFills: false },
  // Its file has more decimals of a second than its feed, so the two may be cut off at either side of a millisecond.
  kraken: { rows: krakenRows, instantSlackMs: 1, hasOtherFills: false },
}

/** @throws UsageError if the source of a proof publishes nothing to compare with */
function historyOf(source: string): History {
  const [kind, name = ''] = source.split(':')
  const history = kind === 'live' ? histories[name] : undefined
  if (history) return history
  const why = name === 'oanda' ? 'OANDA publishes no prices with their ids' : `these ticks are of ${source}`
  throw new UsageError(
    `--against compares ticks of ${Object.keys(histories).join(', ')}: ${why}`,
    'docs/replay.md says where their files are',
  )
}

/**
 * Compares the ticks of a proof with the trades that its exchange publishes: the id, price, size and instant of each, and
 * that no trade between them is left out.
 * @param paths files of the exchange that together have these trades
 * @throws UsageError if the files cannot be compared with this proof
 */
export async function compareWithHistory(file: unknown, paths: readonly string[]): Promise<HistoryVerdict> {
  const parsed = comparable.safeParse(file)
  if (!parsed.success) throw new UsageError('not a proof file')
  const { order, ticks, gaps, source } = parsed.data
  const history = historyOf(source)
  const live = ticks.filter((tick): tick is LiveTick => tick.length === 6)
  const ids = live.map((tick) => Number(tick[4]))
  const [from, to] = [Math.min(...ids), Math.max(...ids)]
  if (live.length === 0) throw new UsageError('no tick of the proof has an id of the exchange')
  const rows = await readRows(history, paths, { from, to })
  const scale = {
    price: order.terms.priceDecimals,
    // The venue cuts off decimals that its product does not have.
    size: Math.max(...live.map((tick) => (tick[3].split('.')[1] ?? '').length)),
    slackMs: history.instantSlackMs,
  }
  const covered = (id: number): HistoryRow | undefined =>
    rows.find(({ first, last }) => id >= first && id <= last)
  for (const tick of live) {
    const row = covered(Number(tick[4]))
    const why = row ? differenceOf(tick, row, scale) : 'the exchange has no trade with this id'
    if (why !== null) return { ticks: live.length, differs: { why, tick, exchange: row ?? null } }
  }
  // In a gap the venue received nothing, so ticks missing there are not a fault.
  const known = new Set(ids)
  const isTaken = ({ first, last }: HistoryRow): boolean => {
    const own = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    return history.hasOtherFills ? own.some((id) => known.has(id)) : own.every((id) => known.has(id))
  }
  const leftOut = rows.find((row) => row.first >= from && row.last <= to && !isTaken(row))
  if (gaps.length > 0 || leftOut === undefined) return { ticks: live.length, differs: null }
  return { ticks: live.length, differs: { why: 'a trade of the exchange is left out', exchange: leftOut } }
}

function differenceOf(
  [, , price, size, , sourceAt]: LiveTick,
  row: HistoryRow,
  scale: { price: number; size: number; slackMs: number },
): string | null {
  if (parseRounded(row.price, scale.price) !== parseRounded(price, scale.price)) return 'the price differs'
  if (row.size === null) return null
  if (parseTruncated(row.size, scale.size) !== parseTruncated(size, scale.size)) return 'the size differs'
  return Math.abs(row.at - sourceAt) <= scale.slackMs ? null : 'the instant differs'
}

/** The rows with the trades from one id to another. A file may have a day of millions, so it is not kept. */
async function readRows(
  { rows }: History,
  paths: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<HistoryRow[]> {
  const found: HistoryRow[] = []
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const path of paths) {
    try {
      for await (const row of rows(path)) {
        const fault = instantFault(String(row.at))
        if (fault !== undefined) throw new UsageError(`${path}: trade ${row.first}: ${fault}`)
        lowest = Math.min(lowest, row.first)
        highest = Math.max(highest, row.last)
        if (row.last >= from && row.first <= to) found.push(row)
      }
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${path} cannot be read: ${messageOf(error)}`)
    }
  }
  const what = paths.join(', ')
  if (highest < lowest) throw new UsageError(`${what} is no file of trades: there is none in it`)
  if (lowest > from || highest < to)
    throw new UsageError(
      `${what} has the trades ${lowest} to ${highest}, the proof those from ${from} to ${to}`,
    )
  return found
}
