import * as z from 'zod/mini'
import type { Order, OrderHead } from '../../contract/orders.ts'
import { head } from '../../contract/products.ts'
import { instant } from '../../contract/schema.ts'
import type { SeenHead, StoredPlacement } from '../../streams/index.ts'
import { agreedTerms, type AgreedTerms } from './agreedTerms.ts'
import type { Alarm } from './alarms.ts'
import { createMemberKvStore, storedValueOf, type MemberKvStoreParts } from './memberKvStore.ts'

/** How many orders are stored (the newest), and how many heads of each. */
export const evidenceOrdersMax = 100
export const evidenceHeadsMax = 40

const storedHead = z.object({
  ...head.shape,
  watermark: z.int(),
  seenAt: z.int(),
  /** Whether it came with the order, or with the product's live prices. */
  from: z.enum(['order', 'feed']),
})
export type StoredHead = z.infer<typeof storedHead>

const orderEvidence = z.object({
  orderId: z.string(),
  no: z.string(),
  productId: z.string(),
  closeAt: instant,
  /** As the member confirmed it here, and for the rest as this device first received it; null if no order has been received yet. */
  agreed: z.nullable(agreedTerms),
  heads: z.array(storedHead),
  /** What the venue signed, as this device first received it, with the salt of its account tag. */
  receipt: z.optional(z.object({ text: z.string(), salt: z.string() })),
  /** How the check of its proof ended on this device, and when; null before. */
  check: z.nullable(z.object({ ok: z.boolean(), at: z.int() })),
  /** The member has viewed the order's proof since the check. */
  looked: z.boolean(),
})
type OrderEvidence = z.infer<typeof orderEvidence>
const orderEvidences = storedValueOf(z.array(orderEvidence))
const name = 'evidence'

export type StoredReceipt = NonNullable<OrderEvidence['receipt']>
export type StoredEvidence = {
  agreed: AgreedTerms | null
  heads: readonly StoredHead[]
  receipt: StoredReceipt | null
}
export type EvidenceOrder = Pick<Order, 'id' | 'no' | 'productId' | 'closeAt'>
export type Evidence = ReturnType<typeof createEvidence>

export type EvidenceParts = MemberKvStoreParts & {
  /** What the member confirmed on this device, by the order's key, while it is in flight. */
  confirmed: (key: string) => Confirmed | undefined
}
type Confirmed = Pick<StoredPlacement, 'productId' | 'direction' | 'amount' | 'seconds' | 'rateBp'>

/**
 * Evidence on this device to check the venue's proofs with, for each order of the member: the heads that came with it
 * and those received live, and how the check ended. `onAlarms` receives the orders that failed and were not viewed.
 */
export function createEvidence(parts: EvidenceParts, onAlarms: (alarms: readonly Alarm[]) => void) {
  const { read, change } = createMemberKvStore(parts)
  const readAll = async (): Promise<OrderEvidence[]> => (await read(name, orderEvidences)) ?? []
  const update = (order: EvidenceOrder, next: (before: OrderEvidence) => OrderEvidence): Promise<void> =>
    change(name, orderEvidences, (before = []) => {
      const known = before.find(({ orderId }) => orderId === order.id)
      const others = before.filter((one) => one !== known)
      return bounded([next(known ?? blank(order)), ...others])
    })
  const publishAlarms = async (): Promise<void> =>
    onAlarms((await readAll()).filter(isAlarm).map(({ orderId, no }) => ({ orderId, no })))

  return {
    /** Stores the head of a received order and, the first time, the agreed terms and the receipt; and what was confirmed here. */
    recordOrder: (received: Order, seenAt: number): Promise<void> =>
      // What was confirmed is looked up at once: it is deleted as soon as the outcome is known.
      update(received, withOrder(received, seenAt, parts.confirmed(received.key))),
    addHeads: (order: EvidenceOrder, heads: readonly StoredHead[]): Promise<void> =>
      update(order, (before) => ({ ...before, heads: mergedHeads(before.heads, heads) })),
    /** The evidence for an order; heads oldest first. */
    get: async (orderId: string): Promise<StoredEvidence> => {
      const known = (await readAll()).find((one) => one.orderId === orderId)
      return { agreed: known?.agreed ?? null, heads: known?.heads ?? [], receipt: known?.receipt ?? null }
    },
    recordCheck: async (
      order: EvidenceOrder,
      check: { ok: boolean; at: number },
      { looked = false }: { looked?: boolean } = {},
    ): Promise<void> => {
      await update(order, (before) => ({ ...before, check, looked: looked || before.looked }))
      await publishAlarms()
    },
    /** The ids of the orders whose check has ended, with either result. */
    checkedIds: async (): Promise<ReadonlySet<string>> =>
      new Set((await readAll()).filter(({ check }) => check !== null).map(({ orderId }) => orderId)),
    /** Orders with a receipt that have closed at a venue time, and whose check has not ended. */
    uncheckedOrders: async (at: number): Promise<EvidenceOrder[]> =>
      (await readAll())
        .filter(({ closeAt, check, receipt }) => closeAt < at && check === null && receipt !== undefined)
        .map(orderOf),
    /** The receipts of all orders, by the order's id. */
    receipts: async (): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await readAll()).flatMap(({ orderId, receipt }) => (receipt ? [[orderId, receipt.text]] : [])),
      ),
    /** Orders that had not closed at a venue time. */
    runningOrders: async (at: number): Promise<EvidenceOrder[]> =>
      (await readAll()).filter(({ closeAt }) => closeAt > at).map(orderOf),
    /** The member views the order's proof: its alarm ends. */
    markSeen: async (orderId: string): Promise<void> => {
      const known = (await readAll()).find((one) => one.orderId === orderId)
      if (known === undefined || known.looked || known.check === null) return
      await update({ ...known, id: orderId }, (before) => ({ ...before, looked: true }))
      await publishAlarms()
    },
    publishAlarms,
  }
}

/** The record with an order that was received: agreed is what the member confirmed, and not what the venue first made of it. */
const withOrder =
  (received: Order, seenAt: number, confirmed: Confirmed | undefined) =>
  (before: OrderEvidence): OrderEvidence => ({
    ...before,
    agreed: { ...(before.agreed ?? agreedTermsOf(received)), ...(confirmed && confirmedTermsOf(confirmed)) },
    receipt: before.receipt ?? receiptOf(received),
    heads:
      received.head === undefined
        ? before.heads
        : mergedHeads(before.heads, [headOfOrder(received.head, seenAt)]),
  })

/** A head that came with an order, as it is stored. */
export const headOfOrder = ({ at, ...rest }: OrderHead, seenAt: number): StoredHead => ({
  ...rest,
  watermark: at,
  seenAt,
  from: 'order',
})
export const headOfFeed = (seen: SeenHead): StoredHead => ({ ...seen, from: 'feed' })

const agreedTermsOf = (received: Order): AgreedTerms => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = received
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
}

const confirmedTermsOf = ({ productId, direction, amount, seconds, rateBp }: Confirmed): Confirmed => ({
  productId,
  direction,
  amount,
  seconds,
  rateBp,
})

const receiptOf = ({ receipt: text, receiptSalt: salt }: Order): StoredReceipt | undefined =>
  text === undefined || salt === undefined ? undefined : { text, salt }

const isAlarm = ({ check, looked }: OrderEvidence): boolean => check !== null && !check.ok && !looked

const orderOf = ({ orderId: id, no, productId, closeAt }: OrderEvidence): EvidenceOrder => ({
  id,
  no,
  productId,
  closeAt,
})

const blank = ({ id, no, productId, closeAt }: EvidenceOrder): OrderEvidence => ({
  orderId: id,
  no,
  productId,
  closeAt,
  agreed: null,
  heads: [],
  check: null,
  looked: false,
})

/** Keeps the newest orders, and every one with an alarm. */
function bounded(all: OrderEvidence[]): OrderEvidence[] {
  const newestFirst = all.sort((a, b) => b.closeAt - a.closeAt)
  return newestFirst.filter((record, index) => index < evidenceOrdersMax || isAlarm(record))
}

/**
 * Merges heads, ascending and without duplicates. If there are too many, every second one from live prices is dropped:
 * the rest still cover the order's whole time. All heads that came with the order stay.
 */
export function mergedHeads(before: readonly StoredHead[], more: readonly StoredHead[]): StoredHead[] {
  const unique = new Map([...more, ...before].map((one) => [`${one.seq} ${one.watermark} ${one.hash}`, one]))
  let merged = [...unique.values()].sort((a, b) => a.seq - b.seq || a.watermark - b.watermark)
  while (merged.length > evidenceHeadsMax) {
    let feeds = 0
    const thinner = merged.filter((one) => one.from === 'order' || feeds++ % 2 === 0)
    if (thinner.length === merged.length) return merged.slice(-evidenceHeadsMax)
    merged = thinner
  }
  return merged
}
