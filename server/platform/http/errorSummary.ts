import { DrizzleQueryError } from 'drizzle-orm'
import { databaseError, errorChain, pgCode } from '../db/errors.ts'

/** The parts of an error that may be logged: names and locations, never values. */
export type ErrorSummary = {
  name: string
  /** Of a database error the outermost summary has it too, with `message` and `table`. */
  code?: string
  message?: string
  /** The first table that the failed statement names. */
  table?: string
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
export function summarizeError(error: unknown): ErrorSummary {
  return { ...summarizeChain(error, 0), ...databaseFields(error) }
}

/**
 * Of these classes PostgreSQL's message names only what the venue's own code names, and files of the server. Those of other
 * classes may quote values (22), or are the triggers' own and name members (23).
 */
const safeMessages = /^(08|40|42|53|55|57|58|XX)/

function databaseFields(error: unknown): Pick<ErrorSummary, 'code' | 'message' | 'table'> {
  const code = pgCode(error)
  const message = databaseError(error)?.message
  const query = errorChain(error).find((each) => each instanceof DrizzleQueryError)?.query ?? ''
  const table = /\b(?:from|into|update)\s+"?(?<name>[a-z_]+)/i.exec(query)?.groups?.['name']
  return {
    ...(code !== null && isCode(code) && { code }),
    ...(code !== null && message !== undefined && safeMessages.test(code) && { message }),
    ...(table !== undefined && { table }),
  }
}

function summarizeChain(error: unknown, depth: number): ErrorSummary {
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
    ...(error.cause !== undefined && depth < causesMax && { cause: summarizeChain(error.cause, depth + 1) }),
  }
}

function textOf(error: Error, field: 'code' | 'constraint'): string | undefined {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' && isCode(value) ? value : undefined
}

const isCode = (value: string): boolean => /^[\w.-]{1,80}$/.test(value)
