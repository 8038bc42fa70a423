import { mkdirSync } from 'node:fs'
import { Subscription, distinctUntilChanged, filter, map } from 'rxjs'
import * as z from 'zod/mini'
import { product as productSchema, productDetail } from '../../../../contract/products.ts'
import type { Streams, TickRun } from '../../../../streams/index.ts'
import { venueStreams } from '../venueStreams.ts'
import { UsageError, exitCodes, messageOf, type CommandContext } from './command.ts'
import { RecordedProduct } from './recordedProduct.ts'
import type { Rotation } from './rowFiles.ts'
import { ended, progressText, showProgress, sumOf } from './untilEnd.ts'
import { callVenue, originOf } from './venueCalls.ts'
import { askByHttp } from './request.ts'

export type VenueRecording = {
  /** The venue's address. */
  from: string
  /** Ids; undefined: all. */
  products: readonly string[] | undefined
  folder: string
  /** A new file begins with the ticks that the venue still has. */
  history: boolean
  /** Ends after this many ms; null: at Ctrl-C. */
  span: number | null
  /** When another file begins; null: never. */
  rotation: Rotation | null
}

const headsEveryMs = 60_000

/** Writes the live ticks of a venue, one file for each product. @throws UsageError if a file cannot be written */
export async function recordVenue(what: VenueRecording, context: CommandContext): Promise<number> {
  const { from, products, folder, rotation } = what
  const venue = originOf(from)
  mkdirSync(folder, { recursive: true })
  const wanted = await chooseProducts(venue, products)
  const files = wanted.map(
    (product) => new RecordedProduct({ folder, product, venue, rotation, onHole: context.note }),
  )
  await addTicks(venue, files, what, context)
  for (const { id, ticks, last } of files)
    context.print(`${id}: ${ticks} ticks${last === null ? '' : `, up to ${last.seq}`}`)
  return exitCodes.done
}

/** @throws UsageError if a file cannot be written */
async function addTicks(
  url: string,
  files: readonly RecordedProduct[],
  { history, span }: Pick<VenueRecording, 'history' | 'span'>,
  { note, signal }: CommandContext,
): Promise<void> {
  const venue = venueStreams(url, askByHttp)
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

/** The ids are checked before anything is written. */
async function chooseProducts(url: string, ids: readonly string[] | undefined) {
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
