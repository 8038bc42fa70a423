import * as z from 'zod/mini'
import { id, pageQuery, text } from '../schema.ts'

/* What the calls of the desk are made of. */

export const withId = z.object({ id })
export const nonBlankText = (max: number) =>
  text(max).check(z.trim(), z.minLength(1, { error: 'REQUIRED' }), z.maxLength(max, { error: 'TOO_LONG' }))

/** What a person at the desk is called in the audit; travels in the header `Desk-Actor`, URI-encoded. */
export const actorName = nonBlankText(40)

export const listQuery = z.strictObject(pageQuery)
