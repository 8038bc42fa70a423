import * as z from 'zod/mini'
import { id, pageQuery, visibleLine } from '../schema.ts'

/* Shared schemas of the office's routes. */

export const withId = z.object({ id })

/** The name of an operator in the act log; sent URI-encoded in the header `Desk-Actor`. */
export const actorName = visibleLine(40)

export const listQuery = z.strictObject(pageQuery)
