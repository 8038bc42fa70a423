import * as z from 'zod/mini'
import type { Order, OrderHead } from '../../contract/orders.ts'
import { order } from '../../contract/orders.ts'
import { head } from '../../contract/products.ts'
import type { SeenHead } from '../../streams/index.ts'
import type { Alarm } from './alarms.ts'
import { createMemberShelf, shelved } from './memberShelf.ts'
import type { MemberShelfParts } from './memberShelf.ts'

/** Bounds: so many orders, the newest; and of each so many heads. */
export const evidenceOrdersMax = 100
export const evidenceHeadsMax = 40

const keptHead = z.object({
  ...head.shape,
  watermark: z.int(),
  seenAt: z.int(),
  /** Whether it came with the order itself, or with the product's live prices. */
  from: z.enum(['order', 'feed']),
})
export type KeptHead = z.infer<typeof keptHead>

/** What an order was agreed on: nothing of it may ever read otherwise. */
const agreed = z.pick(order, {
  productId: true,
  direction: true,
  amount: true,
  seconds: true,
  rateBp: true,
  terms: true,
  acceptedAt: true,
  closeAt: true,
})
export type Agreed = z.infer<typeof agreed>

const entry = z.object({
  orderId: z.string(),
  no: z.string(),
  productId: z.string(),
  closeAt: z.int(),
  /** As the venue first told it to this device; null where it was first heard of in another way. */
  agreed: z.nullable(agreed),
  heads: z.array(keptHead),
  /** How the check of its proof ended here, and when; null before. */
  check: z.nullable(z.object({ ok: z.boolean(), at: z.int() })),
  /** The member has seen the order's proof since the check. */
  looked: z.boolean(),
})
type Entry = z.infer<typeof entry>
const entries = shelved(z.array(entry))
const name = 'evidence'

export type Held = { agreed: Agreed | null; heads: readonly KeptHead[] }
export type EvidenceOrder = Pick<Order, 'id' | 'no' | 'productId' | 'closeAt'>
export type Evidence = ReturnType<typeof createEvidence>

/**
 * What this device holds against the venue's word, for each order of the member: the heads that came with it and those
 * seen live, and how the check of its proof ended. `onAlarms` is called with the orders that failed and were not looked at.
 */
export function createEvidence(parts: MemberShelfParts, onAlarms: (alarms: readonly Alarm[]) => void) {
  const { read, change } = createMemberShelf(parts)
  const all = async (): Promise<Entry[]> => (await read(name, entries)) ?? []
  const edit = (order: EvidenceOrder, next: (before: Entry) => Entry): Promise<void> =>
    change(name, entries, (before = []) => {
      const known = before.find(({ orderId }) => orderId === order.id)
      const others = before.filter((one) => one !== known)
      return bounded([next(known ?? blank(order)), ...others])
    })
  const tellAlarms = async (): Promise<void> =>
    onAlarms((await all()).filter(isAlarm).map(({ orderId, no }) => ({ orderId, no })))

  return {
    /** Keeps what an answer or an event says of an order: its head, and the first time what was agreed. */
    keepTold: (told: Order, seenAt: number): Promise<void> =>
      edit(told, (before) => ({
        ...before,
        agreed: before.agreed ?? agreedOf(told),
        heads:
          told.head === undefined
            ? before.heads
            : mergedHeads(before.heads, [headOfOrder(told.head, seenAt)]),
      })),
    keepHeads: (order: EvidenceOrder, heads: readonly KeptHead[]): Promise<void> =>
      edit(order, (before) => ({ ...before, heads: mergedHeads(before.heads, heads) })),
    /** What is held for an order; heads oldest first. */
    held: async (orderId: string): Promise<Held> => {
      const known = (await all()).find((one) => one.orderId === orderId)
      return { agreed: known?.agreed ?? null, heads: known?.heads ?? [] }
    },
    keepCheck: async (
      order: EvidenceOrder,
      check: { ok: boolean; at: number },
      { looked = false }: { looked?: boolean } = {},
    ): Promise<void> => {
      await edit(order, (before) => ({ ...before, check, looked: looked || before.looked }))
      await tellAlarms()
    },
    /** The ids of the orders whose check has ended, whichever way. */
    checked: async (): Promise<ReadonlySet<string>> =>
      new Set((await all()).filter(({ check }) => check !== null).map(({ orderId }) => orderId)),
    /** Orders that had not closed at an instant of the venue. */
    running: async (at: number): Promise<EvidenceOrder[]> =>
      (await all())
        .filter(({ closeAt }) => closeAt > at)
        .map(({ orderId: id, no, productId, closeAt }) => ({ id, no, productId, closeAt })),
    /** The member looks at the order's proof: it is raised no more. */
    look: async (orderId: string): Promise<void> => {
      const known = (await all()).find((one) => one.orderId === orderId)
      if (known === undefined || known.looked || known.check === null) return
      await edit({ ...known, id: orderId }, (before) => ({ ...before, looked: true }))
      await tellAlarms()
    },
    tellAlarms,
  }
}

/** A head that came with an order, as it is kept. */
export const headOfOrder = ({ at, ...told }: OrderHead, seenAt: number): KeptHead => ({
  ...told,
  watermark: at,
  seenAt,
  from: 'order',
})
export const headOfFeed = (seen: SeenHead): KeptHead => ({ ...seen, from: 'feed' })

const agreedOf = (told: Order): Agreed => {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = told
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
}

const isAlarm = ({ check, looked }: Entry): boolean => check !== null && !check.ok && !looked

const blank = ({ id, no, productId, closeAt }: EvidenceOrder): Entry => ({
  orderId: id,
  no,
  productId,
  closeAt,
  agreed: null,
  heads: [],
  check: null,
  looked: false,
})

/** The newest orders; one that raises an alarm gives way to none. */
function bounded(all: Entry[]): Entry[] {
  const newestFirst = all.sort((a, b) => b.closeAt - a.closeAt)
  return newestFirst.filter((one, place) => place < evidenceOrdersMax || isAlarm(one))
}

/**
 * Both, ascending, each head once. Of too many, every second one from live prices goes: those left still cover the
 * order's whole time, and the heads that came with the order all stay.
 */
export function mergedHeads(before: readonly KeptHead[], more: readonly KeptHead[]): KeptHead[] {
  const byPlace = new Map([...more, ...before].map((one) => [`${one.seq} ${one.watermark} ${one.hash}`, one]))
  let merged = [...byPlace.values()].sort((a, b) => a.seq - b.seq || a.watermark - b.watermark)
  while (merged.length > evidenceHeadsMax) {
    let feeds = 0
    const thinner = merged.filter((one) => one.from === 'order' || feeds++ % 2 === 0)
    if (thinner.length === merged.length) return merged.slice(-evidenceHeadsMax)
    merged = thinner
  }
  return merged
}
