import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Subscription, distinctUntilChanged, filter, map } from 'rxjs'
import * as z from 'zod/mini'
import { product as productSchema, productDetail } from '../../../../contract/products.ts'
import type { Streams, TickRun } from '../../../../streams/index.ts'
import { connectVenue } from '../venue.ts'
import { UsageError, exitCodes, type Command, type CommandContext } from './command.ts'
import { onlyFile } from './files.ts'
import { RecordedProduct } from './recordedProduct.ts'
import { parseExchange, recordExchange } from './recordExchange.ts'
import { parseRotation } from './rowFiles.ts'
import { protocolNames } from './protocols.ts'
import { ended, progressText, showProgress, spanOf } from './untilEnd.ts'
import { callVenue, originOf } from './venueCalls.ts'

const headsEveryMs = 60_000

export const record: Command = {
  name: 'record',
  usage: `URL [-o FOLDER] [--products A,B] [--history] [--rotate day,100MB] [--for 1h]
uptick record EXCHANGE:SYMBOL,… [-o FOLDER] [--raw] [--rotate day,100MB] [--for 1h] [--url ws://HOST:PORT]`,
  help: `A venue: writes its live ticks, one file ID.csv for each product, with ID.json beside it: heads of the venue's chain,
which "check" recomputes. Files that are there are continued, with what was missed. --history: a new file begins with the ticks
that the venue still has.
An exchange (${protocolNames.join(', ')}): writes its trades, one file SYMBOL.csv each, with the exchange's instants,
its ids and when each arrived. What was missed, also between two runs, is named. --raw: also every message, in
EXCHANGE.ndjson, which "convert" reads. oanda needs OANDA_TOKEN and OANDA_ACCOUNT in the environment.
--rotate: another file begins with each day of UTC, or before a file has more bytes, as in ID_2026-11-30.csv and
ID_2026-11-30_2.csv; the newest one is continued.
Runs until Ctrl-C, or for the time of --for. Says each second on a terminal, elsewhere each minute, how many ticks and files
there are, how old the last tick is, and how often it connected again. Exit code 0: it ended as it was told to; what is
missing was named. 2: it cannot begin, the exchange refuses, or a file cannot be written; what was written stays.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o', default: '.' },
        products: { type: 'string' },
        history: { type: 'boolean', default: false },
        for: { type: 'string' },
        rotate: { type: 'string' },
        raw: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    })
    const from = onlyFile(positionals, 'venue or exchange')
    const span = values.for === undefined ? null : spanOf(values.for)
    const rotation = values.rotate === undefined ? null : parseRotation(values.rotate)
    const exchange = parseExchange(from)
    if (exchange) {
      const { output: folder, raw, url } = values
      return recordExchange({ ...exchange, folder, raw, url, span, rotation }, context)
    }
    if (values.raw || values.url !== undefined) throw new UsageError('--raw and --url are for an exchange')
    const url = originOf(from)
    mkdirSync(values.output, { recursive: true })
    const wanted = await chooseProducts(url, values.products?.split(','))
    const files = wanted.map(
      (product) =>
        new RecordedProduct({ folder: values.output, product, venue: url, rotation, onHole: context.note }),
    )
    await recordVenue(url, files, { history: values.history, span }, context)
    for (const { id, ticks, last } of files)
      context.print(`${id}: ${ticks} ticks${last === null ? '' : `, up to ${last.seq}`}`)
    return exitCodes.done
  },
}

/** @throws UsageError if a file cannot be written */
async function recordVenue(
  url: string,
  files: readonly RecordedProduct[],
  { history, span }: { history: boolean; span: number | null },
  { note, signal }: CommandContext,
): Promise<void> {
  const venue = connectVenue(url)
  const end = new AbortController()
  const progress = { lastAt: null as number | null, reconnects: 0 }
  const all = new Subscription()
  const add = (file: RecordedProduct, run: TickRun): void => {
    progress.lastAt = Date.now()
    try {
      file.add(run)
    } catch (error) {
      end.abort(error)
    }
  }
  for (const file of files) all.add(follow(venue, file, history, { note, add: (run) => add(file, run) }))
  all.add(
    venue.connection$
      .pipe(
        map(({ state }) => state === 'reconnecting'),
        distinctUntilChanged(),
        filter(Boolean),
      )
      .subscribe(() => progress.reconnects++),
  )
  const timer = setInterval(() => void noteAll(files, note), headsEveryMs)
  const stopProgress = showProgress(() => progressText({ ...sumOf(files), ...progress }, Date.now()), note)
  await ended(AbortSignal.any([signal, end.signal]), span)
  clearInterval(timer)
  stopProgress()
  all.unsubscribe()
  venue.close()
  if (!end.signal.aborted) await noteAll(files, note)
  for (const file of files) file.close()
  if (end.signal.aborted) throw new UsageError(messageOf(end.signal.reason), '')
}

const sumOf = (files: readonly RecordedProduct[]) => ({
  ticks: files.reduce((sum, file) => sum + file.ticks, 0),
  files: files.reduce((sum, file) => sum + file.files, 0),
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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
  { note, add }: { note: CommandContext['note']; add: (run: TickRun) => void },
): Subscription {
  if (file.last === null && !history) return venue.run$(file.id).subscribe(add)
  return venue.ticksSince$(file.id, file.last?.at ?? 0).subscribe((event) => {
    if (event.kind === 'run') add(event.run)
    else note(`${file.id}: earlier ticks could not be fetched (${event.failure.kind}); trying again`)
  })
}

async function noteAll(files: readonly RecordedProduct[], note: CommandContext['note']): Promise<void> {
  for (const file of files) {
    try {
      await file.noteHeads()
    } catch (error) {
      note(messageOf(error))
      return
    }
  }
}
