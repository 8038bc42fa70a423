import * as z from 'zod/mini'
import { message } from '../../contract/content.ts'
import { order } from '../../contract/orders.ts'
import type { Order } from '../../contract/orders.ts'
import { gap, head, product, restTick, source } from '../../contract/products.ts'
import type { Message, MessageBox, Product } from '../../streams/index.ts'
import { createMemberKvStore, storedValueOf } from './memberKvStore.ts'
import type { MemberKvStoreParts } from './memberKvStore.ts'

/** Bounds of what is kept for one member; the oldest gives way. */
export const storedOrdersMax = 300
export const storedMessagesMax = 100
export const storedProofsMax = 30
/** Of all kept proofs together: the ticks are what makes them large. */
export const storedTicksMax = 30_000
/** What was last seen, and when the venue said so. */
export type OfflineCopy<T> = { value: T; at: number }

const proof = z.object({
  order,
  rule: z.string(),
  ticks: z.array(restTick),
  before: z.nullable(head),
  after: z.nullable(head),
  gaps: z.array(gap),
  source: z.string(),
  sources: z.array(source),
  watermarkAt: z.int(),
  final: z.boolean(),
  /** Where pages of a long proof met. */
  seams: z.array(head),
  /** Where the log ended before a head that this device holds. */
  logEnd: z.optional(z.int()),
})
export type OfflineProof = z.infer<typeof proof>

const stamped = <T>(value: z.ZodMiniType<T>) => z.object({ value, at: z.int() })
const orders = storedValueOf(z.array(stamped(order)))
const proofs = storedValueOf(z.array(stamped(proof)))
const messages = storedValueOf(stamped(z.array(message)))
const products = storedValueOf(stamped(z.array(product)))

export type OfflineStore = ReturnType<typeof createOfflineStore>

/**
 * What a member saw last, kept on the device so that it can be read without the venue: orders, proofs, messages, and the
 * products' names that these speak of. Each belongs to the member who saw it, and goes with the end of their session.
 */
export function createOfflineStore(parts: MemberKvStoreParts) {
  const { kvStore, memberId } = parts
  const { read, change } = createMemberKvStore(parts)
  return {
    /** Whether the one who is logged in now still is; for answers that take a while. */
    memberGuard: (): (() => boolean) => {
      const member = memberId()
      return () => memberId() === member
    },
    /** Takes in orders as the venue told them at an instant; of each the newest version stays. */
    saveOrders: (received: readonly Order[], at: number) =>
      change('orders', orders, (before = []) => mergedOrders(before, received, at)),
    saveProof: (received: OfflineProof, at: number) =>
      change('proofs', proofs, (before = []) => boundedProofs([{ value: received, at }, ...before])),
    /** Takes in the newest page of messages, or one message that came by itself. */
    saveMessages: (received: readonly Message[], at: number) =>
      change('messages', messages, (before) => mergedMessages(before, received, at)),
    saveProducts: (received: readonly Product[], at: number) =>
      change('products', products, () => ({ value: [...received], at })),
    orders: () => read('orders', orders),
    order: async (id: string): Promise<OfflineCopy<Order> | undefined> =>
      (await read('orders', orders))?.find(({ value }) => value.id === id),
    proof: async (orderId: string): Promise<OfflineCopy<OfflineProof> | undefined> =>
      (await read('proofs', proofs))?.find(({ value }) => value.order.id === orderId),
    messages: async (): Promise<OfflineCopy<MessageBox> | undefined> => {
      const found = await read('messages', messages)
      return found && { value: { items: found.value, nextCursor: null }, at: found.at }
    },
    products: () => read('products', products),
    /** Takes away what is not the present member's: after log-out everything. */
    deleteOtherMembers: (): Promise<void> => {
      const member = memberId()
      return kvStore.deleteExcept(member === undefined ? undefined : `${member}/`)
    },
  }
}

function mergedOrders(
  before: readonly OfflineCopy<Order>[],
  received: readonly Order[],
  at: number,
): OfflineCopy<Order>[] {
  const byId = new Map(before.map((copy) => [copy.value.id, copy]))
  for (const value of received) {
    const known = byId.get(value.id)
    if (known === undefined || value.version >= known.value.version) byId.set(value.id, { value, at })
  }
  return [...byId.values()]
    .sort((a, b) => b.value.acceptedAt - a.value.acceptedAt || (a.value.id < b.value.id ? 1 : -1))
    .slice(0, storedOrdersMax)
}

/** The newest first, each order's once, as many as the bounds let in. */
function boundedProofs(all: readonly OfflineCopy<OfflineProof>[]): OfflineCopy<OfflineProof>[] {
  const result: OfflineCopy<OfflineProof>[] = []
  let ticks = 0
  for (const one of all) {
    const count = one.value.ticks.length
    if (result.some(({ value }) => value.order.id === one.value.order.id)) continue
    if (result.length === storedProofsMax || ticks + count > storedTicksMax) continue
    ticks += count
    result.push(one)
  }
  return result
}

function mergedMessages(
  before: OfflineCopy<Message[]> | undefined,
  received: readonly Message[],
  at: number,
): OfflineCopy<Message[]> {
  const byId = new Map(before?.value.map((one) => [one.id, one]))
  for (const one of received) byId.set(one.id, { ...one, read: one.read || byId.get(one.id)?.read === true })
  const value = [...byId.values()].sort((a, b) => b.at - a.at).slice(0, storedMessagesMax)
  return { value, at: Math.max(at, before?.at ?? 0) }
}
