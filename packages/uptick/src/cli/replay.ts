import { parseArgs } from 'node:util'
import { skippedText } from '../../../../contract/recordingReader.ts'
import { aligned } from '../../../../streams/replay/align.ts'
import type { ReplayProduct } from '../../../../streams/replay/replayedProduct.ts'
import { replayProduct } from '../replayedMarket.ts'
import { msOf } from '../time.ts'
import { UsageError, exitCodes, messageOf, type Command, type CommandContext } from './command.ts'
import { assertNoPipe, openRecording, piecesOf, readText } from './files.ts'
import { portOf } from './httpServer.ts'
import { productIdOf, recordingPath } from './recordingNames.ts'
import { isReport, readReport, type ReportOrigin } from './report.ts'
import { serveReplay, speedOf, type ReplayServer } from './replayServer.ts'
import { ended, spanOf } from './untilEnd.ts'

export const replay: Command = {
  name: 'replay',
  usage:
    'FILE… [--port 8080] [--host 127.0.0.1] [--speed 0.1…1000|max] [--from 2h] [--gap 10s..20s]… [--closed 10m|never] [--align start|time] [--pause]',
  help: `Serves recordings as a venue does, to the app and to any client; to other machines with --host 0.0.0.0. FILE may also be the
sample btc-2022-01-15, or a report that the app saved. A product is named as its file up to the first "_" or the date; times
count from the first tick. Several files start together, at the instants of the first; with --align time each plays at its own
instants, without a price before its first tick and stale after its last. A product is closed while its recording is silent for
longer than --closed. It begins with the first subscription; with --pause when POST /replay says {"paused": false}, which also
takes {"speed": 20}, {"step": ms}, {"seek": <epoch ms>} and {"gap": {"from": <epoch ms>, "to": …}}. Runs until Ctrl-C.`,
  run: async (args, context) => {
    const { print } = context
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '8080' },
        host: { type: 'string', default: '127.0.0.1' },
        speed: { type: 'string', default: '1' },
        from: { type: 'string', default: '0ms' },
        gap: { type: 'string', multiple: true, default: [] },
        closed: { type: 'string', default: '10m' },
        align: { type: 'string', default: 'start' },
        pause: { type: 'boolean', default: false },
      },
    })
    if (positionals.length === 0) throw new UsageError('which recording?')
    const port = portOf(values.port)
    const closedMs = values.closed === 'never' ? Infinity : spanOf(values.closed)
    const files = []
    for (const path of positionals) files.push(await openFile(path, closedMs, context))
    const { align } = values
    if (align !== 'start' && align !== 'time') throw new UsageError(`--align is start or time, not ${align}`)
    const products = aligned(
      files.map((file) => file.products),
      align,
    )
    const [report, ...others] = files.flatMap(({ origin }) => origin ?? [])
    if (others.length > 0) throw new UsageError('one report at a time')
    const ids = new Set(products.map(({ product }) => product.id))
    if (ids.size < products.length) throw new UsageError('two files of one product')
    const server = await serveReplay(products, {
      port,
      host: values.host,
      speed: speedOf(values.speed),
      waits: values.pause,
      report,
    })
    try {
      prepare(server, values)
      const { signal } = context
      if (report) print(reportText(report))
      print(`${[...ids].join(', ')} at ${server.url}`)
      await ended(signal)
    } finally {
      await server.close()
    }
    return exitCodes.done
  },
}

type OpenedFile = { products: ReplayProduct[]; origin?: ReportOrigin }

async function openFile(name: string, closedMs: number, { note }: CommandContext): Promise<OpenedFile> {
  const path = recordingPath(name)
  if (await beginsAsReport(path)) return readReport(await readText(path), path)
  const { recording, note: venueNote } = await openRecording(path)
  const skipped = recording.skippedRows && skippedText(recording.skippedRows)
  if (skipped !== undefined) note(`${path}: skipped ${skipped}`)
  return { products: [replayProduct(venueNote?.product.id ?? productIdOf(path), recording, {}, closedMs)] }
}

async function beginsAsReport(path: string): Promise<boolean> {
  assertNoPipe(path)
  for await (const piece of piecesOf(path)) return isReport(piece)
  return false
}

const reportText = ({ savedAt, appVersion, build, page, previousPage }: ReportOrigin): string =>
  `report of ${new Date(savedAt).toISOString()}: page ${page}, before it ${previousPage ?? 'none'}, app ${appVersion} (${build})`

/** Gaps first: they must be ahead of where the replay starts. */
function prepare({ market }: ReplayServer, { from, gap }: { from: string; gap: string[] }): void {
  const origin = market.clock.now()
  try {
    for (const span of gap) {
      const [begin = '', end = ''] = span.split('..')
      market.gap(origin + msOf(begin), origin + msOf(end))
    }
    market.clock.seek(origin + msOf(from))
  } catch (error) {
    throw new UsageError(messageOf(error), 'times are 500ms, 10s, 5m or 2h')
  }
}
