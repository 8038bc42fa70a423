import * as z from 'zod/mini'
import { plainInstant, productId } from '../../../../contract/schema.ts'
import { parseRecording } from '../../../../contract/recording.ts'
import { reportFormat, reportVersion, type ReportFile } from '../../../../src/report/reportFile.ts'
import { formatRow, recordingHeader } from '../../../../streams/replay/format.ts'
import type { ReplayProduct } from '../../../../streams/replay/replayedProduct.ts'
import { forEachTick } from '../../../../streams/index.ts'
import { replayProduct } from '../replayedMarket.ts'
import { UsageError } from './command.ts'
import { decimals, within } from './files.ts'
import { parsedJson } from './json.ts'

const reportFile = z.object({
  format: z.literal(reportFormat),
  version: z.literal(reportVersion),
  savedAt: plainInstant,
  appVersion: z.string(),
  build: z.string(),
  page: z.string(),
  previousPage: z.nullable(z.string()),
  wire: z.object({
    products: z.array(z.object({ id: productId, priceDecimals: decimals, sizeDecimals: decimals })),
    frames: z.array(
      z.object({
        receivedAt: plainInstant,
        blocks: z.array(z.object({ id: productId, seq0: z.int(), values: z.array(z.int()) })),
      }),
    ),
  }),
})
type Report = z.infer<typeof reportFile>

/** Where a report comes from: what the panel shows of it. */
export type ReportOrigin = Pick<ReportFile, 'savedAt' | 'appVersion' | 'build' | 'page' | 'previousPage'>

export const isReport = (text: string): boolean => text.trimStart().startsWith('{')

/**
 * The products of a report as the replay plays them: each tick at the instant at which it arrived.
 * @param path of the file, for errors
 * @throws UsageError if it is no report, or has no prices
 */
export function readReport(text: string, path: string): { origin: ReportOrigin; products: ReplayProduct[] } {
  const parsed = reportFile.safeParse(parsedJson(text))
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new UsageError(`${path} is no report of this format${field === '' ? '' : `: see its ${field}`}`, '')
  }
  const { savedAt, appVersion, build, page, previousPage } = parsed.data
  const products = within(path, () => productsOf(parsed.data))
  if (products.length === 0)
    throw new UsageError(`${path} has no prices: none arrived before it was saved`, '')
  return { origin: { savedAt, appVersion, build, page, previousPage }, products }
}

/** One recording for each product, without the ticks that arrived twice. */
export function productsOf({ wire }: Pick<Report, 'wire'>): ReplayProduct[] {
  return wire.products.flatMap(({ id, ...scale }) => {
    const rows: string[] = []
    const arrivals: number[] = []
    let last = { seq: 0, at: 0, arrival: 0 }
    for (const { receivedAt, blocks } of wire.frames)
      for (const block of blocks.filter((one) => one.id === id))
        forEachTick(block, (seq, at, price, size) => {
          // An older instant is no row of a recording.
          if (seq <= last.seq || at < last.at || !(price > 0 && size >= 0)) return
          last = { seq, at, arrival: Math.max(last.arrival, receivedAt) }
          rows.push(formatRow({ at, price, size }, scale))
          arrivals.push(last.arrival)
        })
    if (rows.length === 0) return []
    const csv = `${[recordingHeader, ...rows].join('\n')}\n`
    const recording = parseRecording(csv, scale.priceDecimals, scale.sizeDecimals)
    return [{ ...replayProduct(id, recording, {}, Infinity), arrivals: Float64Array.from(arrivals) }]
  })
}
