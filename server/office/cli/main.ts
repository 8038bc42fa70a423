import { help } from './help.ts'
import { writePhotos } from './photos.ts'
import { logIn, logOut } from './login.ts'
import { formatAnswer, waitingFor } from './print.ts'
import { readArguments } from './readArguments.ts'
import { sanitize } from './table.ts'
import { UsageError } from './usageError.ts'
import { RejectedError, createVenueClient } from './venueClient.ts'

const exitCodes = { done: 0, rejected: 1, usage: 2 } as const

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'log') {
    // The market and the database, which no other command needs.
    const [{ runLogCommand }, { readSettings }] = await Promise.all([
      import('./log.ts'),
      import('../../start/config.ts'),
    ])
    return runLogCommand(args.slice(1), () => readSettings(process.env), { out: print, progress })
  }
  const asksHelp = args.includes('--help') || args.includes('-h')
  if (args[0] === 'login' && !asksHelp) return done(await logIn(args.slice(1), process.env))
  if (args[0] === 'logout' && !asksHelp) return done(await logOut(process.env))
  // Without a noun the help explains both.
  const parsed = readArguments(args.filter((word) => !asksHelp || !/^log(in|out)$/.test(word)))
  if (parsed.kind === 'help') {
    print(help(parsed.noun, parsed.verb))
    return exitCodes.done
  }
  const { command, call, json, actor, photos } = parsed
  const venue = await createVenueClient(process.env, actor)
  const answer = await venue.request(call)
  if (typeof answer === 'string') {
    process.stdout.write(answer)
    return exitCodes.done
  }
  const files = photos === undefined ? [] : await writePhotos(venue, answer, command.photos ?? {}, photos)
  const withFiles = photos === undefined ? answer : Object.assign({}, answer, { photos: files })
  print(
    formatAnswer(json ? withFiles : answer, { json, ...(command.columns && { columns: command.columns }) }),
  )
  if (!json) for (const file of files) print(`written: ${file}`)
  const waits = waitingFor(answer)
  if (waits !== null) progress(waits)
  return exitCodes.done
}

function done(line: string): number {
  print(line)
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
