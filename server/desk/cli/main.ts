import { help } from './help.ts'
import { writePhotos } from './photos.ts'
import { runLog } from './log.ts'
import { printed } from './print.ts'
import { readArguments } from './read.ts'
import { harmless } from './table.ts'
import { UsageError } from './usage.ts'
import { RefusedError, venueAt } from './venue.ts'

const exitCodes = { done: 0, refused: 1, usage: 2 } as const

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'log') return runLog(args.slice(1), process.env, { out: say, progress })
  const typed = readArguments(args)
  if (typed.kind === 'help') {
    say(help(typed.noun, typed.verb))
    return exitCodes.done
  }
  const { command, call, json, actor, photos } = typed
  const venue = venueAt(process.env, actor)
  const answer = await venue.ask(call)
  const files = photos === undefined ? [] : await writePhotos(venue, answer, command.photos ?? {}, photos)
  const whole = photos === undefined ? answer : Object.assign({}, answer, { photos: files })
  say(printed(json ? whole : answer, { json, ...(command.columns && { columns: command.columns }) }))
  if (!json) for (const file of files) say(`written: ${file}`)
  return exitCodes.done
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** The refusal in one line: its code, then what it says more. */
function refusalLine({ code, params = {}, fields = {} }: RefusedError['refusal']): string {
  const more = [...Object.entries(params), ...Object.entries(fields)]
  return harmless([code, ...more.map(([name, value]) => `${name}=${String(value)}`)].join(' '))
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof RefusedError) && !(error instanceof UsageError)) throw error
  const refused = error instanceof RefusedError
  process.stderr.write(refused ? `${refusalLine(error.refusal)}\n` : `desk: ${harmless(error.message)}\n`)
  process.exitCode = refused ? exitCodes.refused : exitCodes.usage
}
