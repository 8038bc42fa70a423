import * as z from 'zod/mini'
import { UsageError } from './command.ts'
import type { HistoryRow } from './historyRow.ts'
import { decimal, readPages } from './tradePages.ts'

const trade = z.object({ time: z.string(), trade_id: z.int(), price: decimal, size: decimal })

/** The trades of `GET /products/<id>/trades` of Coinbase Exchange: its pages, or a trade on each line. @throws UsageError */
export async function* coinbaseRows(
  path: string,
  pieces?: AsyncIterable<string>,
): AsyncGenerator<HistoryRow> {
  for await (const page of readPages(path, undefined, pieces))
    for (const each of [page].flat()) {
      const parsed = trade.safeParse(each)
      const at = Date.parse(parsed.data?.time ?? '')
      if (!parsed.success || Number.isNaN(at))
        throw new UsageError(`${path} is no file of trades: ${JSON.stringify(each).slice(0, 60)}`)
      const { trade_id: id, price, size } = parsed.data
      yield { first: id, last: id, price, size, at }
    }
}
