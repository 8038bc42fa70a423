/** The parts of an error that may be logged: names and locations, never values. */
export type ErrorSummary = {
  name: string
  code?: string
  constraint?: string
  frames: string[]
  cause?: ErrorSummary
}

const framesMax = 12
const causesMax = 4

/**
 * Describes an error without its message: drivers write SQL, parameters and rows into messages, and those are private
 * to members. Names, SQLSTATE or system codes and stack frames are enough to find the place.
 */
export function summarizeError(error: unknown, depth = 0): ErrorSummary {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const { stack = '', message } = error
  const frames = (stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim())
  const code = textOf(error, 'code')
  const constraint = textOf(error, 'constraint')
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    frames,
    ...(error.cause !== undefined && depth < causesMax && { cause: summarizeError(error.cause, depth + 1) }),
  }
}

function textOf(error: Error, field: 'code' | 'constraint'): string | undefined {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' && /^[\w.-]{1,80}$/.test(value) ? value : undefined
}
