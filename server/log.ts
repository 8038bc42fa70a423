import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { summarizeError } from './http/errorSummary.ts'

/** The only fields that reach the log. What is not here cannot be logged by mistake: no body, name, amount or cookie. */
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

/** The venue's log: one JSON line each, allow-listed fields only, faults without their messages. */
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

function filterFields(fields: Record<string, unknown>): Record<string, unknown> {
  const filtered: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') filtered['fault'] = summarizeError(value)
    else if (allowedFields.has(name)) filtered[name] = value
  }
  return filtered
}

/** pino takes an error's message for the line's own where none is given: give one. */
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
