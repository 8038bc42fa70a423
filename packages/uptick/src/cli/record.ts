import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Subscription } from 'rxjs'
import * as z from 'zod/mini'
import { product as productSchema, productDetail } from '../../../../contract/products.ts'
import type { Streams } from '../../../../streams/index.ts'
import { connectVenue } from '../venue.ts'
import { UsageError, exitCodes, type Command, type CommandContext } from './command.ts'
import { onlyFile } from './files.ts'
import { RecordedProduct } from './recordedProduct.ts'
import { parseExchange, recordExchange } from './recordExchange.ts'
import { protocolNames } from './protocols.ts'
import { ended, showProgress, spanOf, tickCount } from './untilEnd.ts'
import { callVenue, originOf } from './venueCalls.ts'

const headsEveryMs = 60_000

export const record: Command = {
  name: 'record',
  usage: `URL [-o FOLDER] [--products A,B] [--history] [--for 1h]
uptick record EXCHANGE:SYMBOL,… [-o FOLDER] [--raw] [--for 1h] [--url ws://HOST:PORT]`,
  help: `A venue: writes its live ticks, one file ID.csv for each product, with ID.json beside it: heads of the venue's chain,
which "check" recomputes. Files that are there are continued, with what was missed. --history: a new file begins with the ticks
that the venue still has.
An exchange (${protocolNames.join(', ')}): writes its trades, one file SYMBOL.csv each, with the exchange's instants,
its ids and when each arrived. What was missed, also between two runs, is named. --raw: also every message, in
EXCHANGE.ndjson, which "convert" reads. oanda needs OANDA_TOKEN and OANDA_ACCOUNT in the environment.
Runs until Ctrl-C, or for the time of --for.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o', default: '.' },
        products: { type: 'string' },
        history: { type: 'boolean', default: false },
        for: { type: 'string' },
        raw: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    })
    const from = onlyFile(positionals, 'venue or exchange')
    const span = values.for === undefined ? null : spanOf(values.for)
    const exchange = parseExchange(from)
    if (exchange) {
      const { output: folder, raw, url } = values
      return recordExchange({ ...exchange, folder, raw, url, span }, context)
    }
    if (values.raw || values.url !== undefined) throw new UsageError('--raw and --url are for an exchange')
    const url = originOf(from)
    mkdirSync(values.output, { recursive: true })
    const wanted = await chooseProducts(url, values.products?.split(','))
    const files = wanted.map((product) => new RecordedProduct(values.output, product, url, context.note))
    const venue = connectVenue(url)
    const all = new Subscription()
    for (const file of files) all.add(follow(venue, file, values.history, context))
    const timer = setInterval(() => void noteAll(files, url, context), headsEveryMs)
    const stopProgress = showProgress(tickCount(files, 'products'))
    await ended(context.signal, span)
    clearInterval(timer)
    stopProgress()
    all.unsubscribe()
    venue.close()
    await noteAll(files, url, context)
    for (const file of files) file.close()
    for (const { id, ticks, last } of files)
      context.print(`${id}: ${ticks} ticks${last === null ? '' : `, up to ${last.seq}`}`)
    return exitCodes.done
  },
}

/** The ids are checked before anything is written. */
async function chooseProducts(url: string, ids: string[] | undefined) {
  const table = z.object({ items: z.array(productSchema) }).safeParse(await callVenue(url, '/products'))
  if (!table.success) throw new UsageError(`${url} has no product table: is it a venue?`)
  const known = table.data.items.map(({ id }) => id)
  const unknown = ids?.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new UsageError(`no product ${unknown}`, `there are ${known.join(', ')}`)
  const products = []
  for (const id of ids ?? known) {
    const detail = productDetail.safeParse(await callVenue(url, `/products/${encodeURIComponent(id)}`))
    if (!detail.success) throw new UsageError(`${url} does not describe ${id}`)
    const { priceDecimals, sizeDecimals, chain } = detail.data
    products.push({ id, priceDecimals, sizeDecimals, chain })
  }
  return products
}

/** A new file takes live ticks only, unless history is wanted; one that is continued what was missed too. */
function follow(
  venue: Streams,
  file: RecordedProduct,
  history: boolean,
  { note }: CommandContext,
): Subscription {
  if (file.last === null && !history) return venue.run$(file.id).subscribe((run) => file.add(run))
  return venue.ticksSince$(file.id, file.last?.at ?? 0).subscribe((event) => {
    if (event.kind === 'run') file.add(event.run)
    else note(`${file.id}: earlier ticks could not be fetched (${event.failure.kind}); trying again`)
  })
}

async function noteAll(
  files: readonly RecordedProduct[],
  url: string,
  { note }: CommandContext,
): Promise<void> {
  for (const file of files) {
    try {
      await file.noteHeads(url)
    } catch (error) {
      note(error instanceof Error ? error.message : String(error))
      return
    }
  }
}
