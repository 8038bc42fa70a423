import * as z from 'zod/mini'
import { reviewStatuses } from '../reviews.ts'
import { id, pageQuery, visibleLine } from '../schema.ts'

/* Shared schemas of the office's routes. */

export const withId = z.object({ id })

/** The name of an operator in the act log; sent URI-encoded in the header `Desk-Actor`. */
export const actorName = visibleLine(40)

export const listQuery = z.strictObject(pageQuery)

/** What members request and the staff decide, as subjects of the act log and of proposals call it. */
export const requestKinds = ['deposit', 'withdrawal', 'verification', 'password-request'] as const
export type RequestKind = (typeof requestKinds)[number]
export const isRequestKind = (kind: string): kind is RequestKind =>
  (requestKinds as readonly string[]).includes(kind)

/** The state of a deposit or withdrawal for the staff: a withdrawal may be approved and not paid yet, or cancelled by the member. */
export const requestStates = [...reviewStatuses, 'approved', 'cancelled'] as const
export type RequestState = (typeof requestStates)[number]
