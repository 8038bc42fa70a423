import { help } from './help.ts'
import { writePhotos } from './photos.ts'
import { runLogCommand } from './log.ts'
import { formatAnswer } from './print.ts'
import { readArguments } from './readArguments.ts'
import { sanitize } from './table.ts'
import { UsageError } from './usageError.ts'
import { RejectedError, createVenueClient } from './venueClient.ts'

const exitCodes = { done: 0, rejected: 1, usage: 2 } as const

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'log') return runLogCommand(args.slice(1), process.env, { out: print, progress })
  const parsed = readArguments(args)
  if (parsed.kind === 'help') {
    print(help(parsed.noun, parsed.verb))
    return exitCodes.done
  }
  const { command, call, json, actor, photos } = parsed
  const venue = createVenueClient(process.env, actor)
  const answer = await venue.request(call)
  const files = photos === undefined ? [] : await writePhotos(venue, answer, command.photos ?? {}, photos)
  const withFiles = photos === undefined ? answer : Object.assign({}, answer, { photos: files })
  print(
    formatAnswer(json ? withFiles : answer, { json, ...(command.columns && { columns: command.columns }) }),
  )
  if (!json) for (const file of files) print(`written: ${file}`)
  return exitCodes.done
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** The error in one line: its code, then its parameters and fields. */
function errorLine({ code, params = {}, fields = {} }: RejectedError['apiError']): string {
  const details = [...Object.entries(params), ...Object.entries(fields)]
  return sanitize([code, ...details.map(([name, value]) => `${name}=${String(value)}`)].join(' '))
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof RejectedError) && !(error instanceof UsageError)) throw error
  const isRejected = error instanceof RejectedError
  process.stderr.write(isRejected ? `${errorLine(error.apiError)}\n` : `desk: ${sanitize(error.message)}\n`)
  process.exitCode = isRejected ? exitCodes.rejected : exitCodes.usage
}
