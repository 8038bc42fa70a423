import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { pgCode } from './db/errors.ts'
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

/** The session was ended from outside: by an administrator, or by a venue that replaced this one while it was frozen. */
const sessionEndedCode = '57P01'

/** Logs an error. A session that was ended is no fault of the code: no stack. If the lease's ended too, the process ends with its line. */
export function logError(logger: Logger, message: string, error: unknown): void {
  if (pgCode(error) === sessionEndedCode) logger.warn(`${message}: the database ended a session`)
  else logger.error({ err: error }, message)
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
