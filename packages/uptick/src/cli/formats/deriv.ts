import * as z from 'zod/mini'
import { plainDecimal } from '../../../../../contract/decimalText.ts'
import { UsageError } from '../command.ts'
import { readPages } from '../tradePages.ts'
import { instantIn } from './csv.ts'
import type { ForeignRow, FormatInput } from './format.ts'
import { epochIn } from './instants.ts'

/** Old answers have them as text. */
const number = z.union([z.number(), z.string().check(z.regex(/^\d+(\.\d+)?$/))])
const answer = z.object({
  echo_req: z.optional(z.object({ ticks_history: z.optional(z.string()) })),
  history: z.object({ prices: z.array(number), times: z.array(number) }),
})
const readInstant = epochIn('seconds')

/** The prices in answers of `ticks_history` of Deriv, which have no sizes. @throws UsageError */
export async function* derivRows({ path, pieces }: FormatInput): AsyncGenerator<ForeignRow> {
  let line = 0
  for await (const page of readPages(path, undefined, pieces)) {
    const parsed = answer.safeParse(page)
    const { prices = [], times = [] } = parsed.data?.history ?? {}
    if (!parsed.success || prices.length !== times.length)
      throw new UsageError(`${path} is no file of ticks_history: ${JSON.stringify(page).slice(0, 60)}`)
    const symbol = parsed.data.echo_req?.ticks_history
    for (const [i, value] of prices.entries()) {
      const [time, price] = [String(times[i]), plainDecimal(String(value))]
      const at = instantIn(path, ++line, readInstant, time)
      if (at !== undefined)
        yield { line, text: `${time},${price}`, at, price, size: '', bid: '', ask: '', symbol }
    }
  }
}
