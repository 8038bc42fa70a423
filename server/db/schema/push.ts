import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { PushPayload } from '../../../contract/push.ts'
import { bytea } from './bytea.ts'

/** Where notifications of a device that is logged in are sent to, encrypted. */
export const pushSubscription = pgTable('push_subscription', {
  sessionId: text('session_id').primaryKey(),
  memberId: text('member_id').notNull(),
  endpointHash: text('endpoint_hash').notNull(),
  subscriptionSealed: bytea('subscription_sealed').notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
})

/** A notification that waits to be sent to one device. */
export const pushDelivery = pgTable('push_delivery', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  sessionId: text('session_id').notNull(),
  payload: jsonb().$type<PushPayload>().notNull(),
  tries: integer().notNull().default(0),
  nextAt: bigint('next_at', { mode: 'number' }).notNull(),
  expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
})
