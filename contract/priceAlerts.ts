import * as z from 'zod/mini'
import { route } from './route.ts'
import { decimal, id, instant, listOf, pageQuery, productId } from './schema.ts'

/** `above`: the price rises to it. `below`: the price falls to it. `crossing`: the price reaches it from either side. */
export const alertKinds = ['above', 'below', 'crossing'] as const
export type AlertKind = (typeof alertKinds)[number]

/** The alerts that a member may have waiting at a time. */
export const openAlertsMax = 20

/** A price at which a member is notified, once. `version` is 1 while it waits and 2 once it has ended. */
export const priceAlert = z.object({
  id,
  productId,
  kind: z.enum(alertKinds),
  price: decimal,
  createdAt: instant,
  /** The list has only those that wait. */
  status: z.enum(['waiting', 'reached', 'removed']),
  version: z.int(),
})
export type PriceAlert = z.infer<typeof priceAlert>

/** Whether the price has to rise to reach an alert; undefined if its price is reached already. All in price units. */
export function alertRises(kind: AlertKind, price: number, last: number): boolean | undefined {
  if (kind === 'above') return price > last ? true : undefined
  if (kind === 'below') return price < last ? false : undefined
  return price === last ? undefined : price > last
}

export const priceAlertRoutes = {
  priceAlerts: route({
    method: 'GET',
    path: '/price-alerts',
    summary: 'The price alerts that wait, newest first',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(priceAlert),
  }),
  createPriceAlert: route({
    method: 'POST',
    path: '/price-alerts',
    summary: 'Be notified once when a product reaches a price',
    member: true,
    keyed: true,
    body: z.strictObject({ productId, kind: z.enum(alertKinds), price: decimal }),
    status: 201,
    answer: priceAlert,
  }),
  removePriceAlert: route({
    method: 'DELETE',
    path: '/price-alerts/:id',
    summary: 'Remove a price alert that waits',
    member: true,
    params: z.object({ id }),
    status: 204,
    answer: null,
  }),
}
