import { pino, type DestinationStream, type Logger } from 'pino'
import { CountedWarnings } from './countedWarnings.ts'
import { pgCode } from './db/errors.ts'
import { databaseTrouble } from './db/trouble.ts'
import { DatabaseOutages } from './db/databaseOutages.ts'
import { summarizeError } from './http/errorSummary.ts'

/** The only fields that are logged, so that a body, name, amount or cookie cannot be logged by mistake. */
const allowedFields: ReadonlySet<string> = new Set([
  'method',
  'route',
  'status',
  'ms',
  'product',
  'count',
  'port',
  'host',
  'fault',
  'feed',
  'mode',
  'signal',
])

/** The venue's log: one JSON line per entry, allow-listed fields only, errors without their messages. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: filterFields },
    hooks: { logMethod: withoutErrorMessages },
  }
  return destination ? pino(options, destination) : pino(options)
}

const outagesOf = new WeakMap<object, DatabaseOutages>()

/** The outages of the database that a log tells of; one object for all that logs there. */
export function databaseOutages(logger: Record<'warn' | 'error', (line: string) => void>): DatabaseOutages {
  const outages = outagesOf.get(logger) ?? new DatabaseOutages((level, line) => logger[level](line))
  outagesOf.set(logger, outages)
  return outages
}

/** What has not failed for so long is said to fail again. */
const forgetMs = 60_000
const failuresOf = new WeakMap<object, CountedWarnings>()

/**
 * Logs an error; of one that repeats the 1st, 2nd, 4th, 8th …, with how many there were. Errors caused by the database
 * are counted: the log has one line when that begins and one when it ends. At level debug it has all of them.
 */
export function logError(logger: Logger, message: string, error: unknown): void {
  const trouble = databaseTrouble(error)
  if (trouble !== null) databaseOutages(logger).count(trouble, 'task', message)
  const count = trouble === null ? failures(logger).countIfTold(message, kindOf(error)) : null
  if (count === null) logger.debug({ err: error }, message)
  else logger.error({ err: error, ...(count > 1 && { count }) }, message)
}

/** What two failures have in common that are counted as one. */
function kindOf(error: unknown): string {
  const code = pgCode(error)
  if (code !== null || !(error instanceof Error)) return code ?? 'failed'
  const [, frame = ''] = /\n\s+at (.*)/.exec(error.stack ?? '') ?? []
  return `${error.name} ${frame}`
}

function failures(logger: Logger): CountedWarnings {
  const counted = failuresOf.get(logger) ?? new CountedWarnings(() => undefined, forgetMs)
  failuresOf.set(logger, counted)
  return counted
}

function filterFields(fields: Record<string, unknown>): Record<string, unknown> {
  const filtered: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') filtered['fault'] = summarizeError(value)
    else if (allowedFields.has(name)) filtered[name] = value
  }
  return filtered
}

/** pino uses an error's message if the entry has none, so one is always passed. */
function withoutErrorMessages(
  this: Logger,
  args: Parameters<Logger['info']>,
  method: (this: Logger, ...args: Parameters<Logger['info']>) => void,
): void {
  const [first, ...rest] = args as unknown[]
  if (first instanceof Error) {
    const text = rest.find((arg) => typeof arg === 'string')
    method.call(this, { fault: summarizeError(first) } as never, typeof text === 'string' ? text : 'fault')
    return
  }
  method.apply(this, args)
}
