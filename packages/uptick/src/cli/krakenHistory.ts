import * as z from 'zod/mini'
import { msOfInstant } from '../../../../contract/recordedInstant.ts'
import { UsageError } from './command.ts'
import type { HistoryRow, HistoryTrade } from './historyRow.ts'
import { decimal, readPages } from './tradePages.ts'

/** Price, volume, seconds, buy or sell, market or limit, miscellaneous, and an id that old answers do not have. */
const trade = z.tuple(
  [decimal, decimal, decimal, z.string(), z.string(), z.string(), z.optional(z.int())],
  z.unknown(),
)
/** The trades are under the exchange's name of the pair, beside the number `last`, as text, from which to continue. */
const answer = z.object({ result: z.record(z.string(), z.union([z.array(trade), z.string()])) })

/** The seconds of a trade, before the side: as a number they would lose digits. */
const secondsPattern = /,\s*(\d+(?:\.\d+)?)\s*,\s*(?="[bs]")/g

const withSecondsAsText = (page: string): string => page.replaceAll(secondsPattern, ',"$1",')

/** The trades in answers of `/0/public/Trades` of Kraken. @throws UsageError */
export async function* krakenTrades(
  path: string,
  pieces?: AsyncIterable<string>,
): AsyncGenerator<HistoryTrade> {
  for await (const page of readPages(path, withSecondsAsText, pieces)) {
    const parsed = answer.safeParse(page)
    if (!parsed.success)
      throw new UsageError(`${path} is no file of trades: ${JSON.stringify(page).slice(0, 60)}`)
    for (const rows of Object.values(parsed.data.result)) {
      if (typeof rows === 'string') continue
      for (const [price, size, seconds, , , , id] of rows)
        yield { first: id, price, size, at: msOfInstant(seconds, 'seconds') }
    }
  }
}

/** The same trades by their ids. @throws UsageError if one has none */
export async function* krakenRows(path: string): AsyncGenerator<HistoryRow> {
  for await (const { first, price, size, at } of krakenTrades(path)) {
    if (first === undefined)
      throw new UsageError(
        `${path} has trades without ids, which cannot be compared`,
        'Kraken answers with ids today: fetch them again',
      )
    yield { first, last: first, price, size, at }
  }
}
