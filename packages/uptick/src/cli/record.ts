import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Subscription } from 'rxjs'
import * as z from 'zod/mini'
import { product as productSchema, productDetail } from '../../../../contract/products.ts'
import type { Streams } from '../../../../streams/index.ts'
import { msOf } from '../time.ts'
import { connectVenue } from '../venue.ts'
import { UsageError, exitCodes } from './command.ts'
import type { Command, CommandContext } from './command.ts'
import { onlyFile } from './files.ts'
import { RecordedProduct } from './recordedProduct.ts'
import { callVenue, originOf } from './venueCalls.ts'

const headsEveryMs = 60_000
const progressEveryMs = 1000

export const record: Command = {
  name: 'record',
  usage: 'URL [-o FOLDER] [--products A,B] [--history] [--for 1h]',
  help: `Writes the live ticks of a venue, one file ID.csv for each product, with ID.json beside it: heads of the venue's chain,
which "check" recomputes. Files that are there are continued, with what was missed. --history: a new file begins with the ticks
that the venue still has. Runs until Ctrl-C, or for the time of --for.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o', default: '.' },
        products: { type: 'string' },
        history: { type: 'boolean', default: false },
        for: { type: 'string' },
      },
    })
    const url = originOf(onlyFile(positionals, 'venue'))
    const span = values.for === undefined ? null : spanOf(values.for)
    mkdirSync(values.output, { recursive: true })
    const wanted = await chooseProducts(url, values.products?.split(','))
    const files = wanted.map((product) => new RecordedProduct(values.output, product, url, context.note))
    const venue = connectVenue(url)
    const all = new Subscription()
    for (const file of files) all.add(follow(venue, file, values.history, context))
    const timers = [
      setInterval(() => void noteAll(files, url, context), headsEveryMs),
      setInterval(() => progress(files), progressEveryMs),
    ]
    await ended(context.signal, span)
    for (const timer of timers) clearInterval(timer)
    all.unsubscribe()
    venue.close()
    await noteAll(files, url, context)
    for (const file of files) file.close()
    if (process.stderr.isTTY) process.stderr.write('\r')
    for (const { id, ticks, last } of files)
      context.print(`${id}: ${ticks} ticks${last === null ? '' : `, up to ${last.seq}`}`)
    return exitCodes.done
  },
}

function spanOf(text: string): number {
  try {
    return msOf(text)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
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

function progress(files: readonly RecordedProduct[]): void {
  if (!process.stderr.isTTY) return
  const ticks = files.reduce((sum, file) => sum + file.ticks, 0)
  process.stderr.write(`\r${ticks} ticks of ${files.length} products `)
}

/** Ctrl-C, or the end of the span. */
function ended(signal: AbortSignal, span: number | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = span === null ? undefined : setTimeout(resolve, span)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
