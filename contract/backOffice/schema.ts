import * as z from 'zod/mini'
import { id, pageQuery, text } from '../schema.ts'

/* Shared schemas of the back office's routes. */

export const withId = z.object({ id })
export const nonBlankText = (max: number) =>
  text(max).check(z.trim(), z.minLength(1, { error: 'REQUIRED' }), z.maxLength(max, { error: 'TOO_LONG' }))

/** The name of an operator in the audit log; sent URI-encoded in the header `Desk-Actor`. */
export const actorName = nonBlankText(40)

export const listQuery = z.strictObject(pageQuery)
