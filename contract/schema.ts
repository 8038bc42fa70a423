import * as z from 'zod/mini'
import type { EpochMs } from './units.ts'
import { amountPattern, moneyPattern } from './money.ts'
import { listLimitDefault, listLimitMax } from './constants.ts'

/**
 * Building blocks of every schema. A message is a field code. zod/mini: one definition for client, venue, API documents and
 * tests, at a few kB.
 */
export const money = z.string().check(z.regex(moneyPattern))
export const amount = z
  .string({ error: 'REQUIRED' })
  .check(z.regex(amountPattern, { error: 'AMOUNT_FORMAT' }))
export const decimal = z.string().check(z.regex(/^\d+(\.\d+)?$/))
/** An instant without the brand: in the log's rows (ticks, candles, gaps, sources) and in the office. */
export const plainInstant = z.int().check(z.nonnegative())
/** An instant: parsed it is an `EpochMs`, so that no duration or price takes its place. */
export const instant = plainInstant as unknown as z.ZodMiniType<EpochMs, number>
export const id = z.string().check(z.minLength(1), z.maxLength(64))
/** A product of the operator's table, or its witness: `<id>~<exchange>`. */
export const productIdPattern = /^[A-Z0-9._-]{1,32}(~[a-z-]{1,16})?$/
export const productId = z.string().check(z.regex(productIdPattern))
export const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** A text field with a maximum length; control characters other than line breaks and tabs are invalid. */
export const text = (max: number) => textWithout(/[\p{Cc}\p{Cs}]/u, /[\t\n\r]/g, max)

/** A required text that is taken as it is, such as a password. */
export const required = (max: number) =>
  z
    .string({ error: 'REQUIRED' })
    .check(z.minLength(1, { error: 'REQUIRED' }), z.maxLength(max, { error: 'TOO_LONG' }))

/** A text field of one line: no line break, tab, or character that turns the direction of what follows. */
export const line = (max: number) =>
  textWithout(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u, null, max)

const textWithout = (invalid: RegExp, exceptions: RegExp | null, max: number) =>
  z.string({ error: 'REQUIRED' }).check(
    z.maxLength(max, { error: 'TOO_LONG' }),
    z.refine(
      (value) =>
        typeof value === 'string' && !invalid.test(exceptions ? value.replaceAll(exceptions, '') : value),
      { error: 'INVALID' },
    ),
  )

/** Whether nothing of a text can be seen: only spaces and invisible characters, such as U+200B and U+3164. */
export const isBlank = (value: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(value)

/** A required text, trimmed. `missing` is the code if nothing of it can be seen. */
const visible = (content: z.ZodMiniType<string, string>, missing: 'REQUIRED' | 'EMPTY') =>
  z.pipe(
    z.string({ error: missing }).check(
      z.trim(),
      z.refine((value) => typeof value === 'string' && !isBlank(value), { error: missing }),
    ),
    content,
  )
/** A required value of one line, such as a name, a title or a reason. */
export const visibleLine = (max: number, missing: 'REQUIRED' | 'EMPTY' = 'REQUIRED') =>
  visible(line(max), missing)
/** A required text that may have several lines, such as the body of a message. */
export const visibleText = (max: number) => visible(text(max), 'REQUIRED')

/** A whole number in a query string. */
export const queryInt = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^-?\d{1,16}$/, { error: 'TYPE' })),
    z.pipe(z.transform(Number), z.int().check(z.gte(min), z.lte(max))),
  )
export const queryInstant = z.optional(queryInt(0, Number.MAX_SAFE_INTEGER))

export const pageQuery = {
  limit: z._default(queryInt(1, listLimitMax), listLimitDefault),
  cursor: z.optional(z.string().check(z.maxLength(200))),
}

/** `{items, nextCursor}`, newest first. */
export const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.nullable(z.string()) })
