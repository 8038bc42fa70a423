import * as z from 'zod/mini'
import { message, resultGroupKey } from '../../contract/content.ts'
import { order, type Order } from '../../contract/orders.ts'
import { product } from '../../contract/products.ts'
import { isNewerVersion } from '../../contract/version.ts'
import type { Message, PageOf, Product } from '../../streams/index.ts'
import { completeProof, type CompleteProof } from '../proof/completeProof.ts'
import { createMemberKvStore, storedValueOf, type MemberKvStoreParts } from './memberKvStore.ts'

/** Limits of what is stored for one member; the oldest is dropped first. */
export const storedOrdersMax = 300
export const storedMessagesMax = 100
export const storedProofsMax = 30
/** Of all stored proofs together: ticks make up most of their size. */
export const storedTicksMax = 30_000
/** A value as last received, with the venue's time. */
export type OfflineCopy<T> = { value: T; at: number }

const stamped = <T>(value: z.ZodMiniType<T>) => z.object({ value, at: z.int() })
const orders = storedValueOf(z.array(stamped(order)))
const proofs = storedValueOf(z.array(stamped(completeProof)))
const messages = storedValueOf(stamped(z.array(message)))
const products = storedValueOf(stamped(z.array(product)))

export type OfflineStore = ReturnType<typeof createOfflineStore>

/**
 * What a member saw last, stored on the device for offline reading: orders, proofs, messages, and the products they
 * name. Everything belongs to the member who saw it, and is deleted when their session ends.
 */
export function createOfflineStore(parts: MemberKvStoreParts) {
  const { kvStore, memberId } = parts
  const { read, change } = createMemberKvStore(parts)
  return {
    /** Returns a function that says whether the member is still the same; for slow answers. */
    memberGuard: (): (() => boolean) => {
      const member = memberId()
      return () => memberId() === member
    },
    /** Stores orders received at a venue time; the newest version of each stays. */
    saveOrders: (received: readonly Order[], at: number) =>
      change('orders', orders, (before = []) => mergedOrders(before, received, at)),
    saveProof: (received: CompleteProof, at: number) =>
      change('proofs', proofs, (before = []) => boundedProofs([{ value: received, at }, ...before])),
    /** Stores the newest page of messages, or a message from an event. */
    saveMessages: (received: readonly Message[], at: number) =>
      change('messages', messages, (before) => mergedMessages(before, received, at)),
    saveProducts: (received: readonly Product[], at: number) =>
      change('products', products, () => ({ value: [...received], at })),
    orders: (): Promise<OfflineCopy<Order>[] | undefined> => read('orders', orders),
    order: async (id: string): Promise<OfflineCopy<Order> | undefined> =>
      (await read('orders', orders))?.find(({ value }) => value.id === id),
    proof: async (orderId: string): Promise<OfflineCopy<CompleteProof> | undefined> =>
      (await read('proofs', proofs))?.find(({ value }) => value.order.id === orderId),
    messages: async (): Promise<OfflineCopy<PageOf<Message>> | undefined> => {
      const stored = await read('messages', messages)
      return stored && { value: { items: stored.value, nextCursor: null }, at: stored.at }
    },
    products: (): Promise<OfflineCopy<Product[]> | undefined> => read('products', products),
    /** Deletes what does not belong to the current member: after logout everything. */
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
    if (known === undefined || !isNewerVersion(known.value, value)) byId.set(value.id, { value, at })
  }
  return [...byId.values()]
    .sort((a, b) => b.value.acceptedAt - a.value.acceptedAt || (a.value.id < b.value.id ? 1 : -1))
    .slice(0, storedOrdersMax)
}

/** Newest first, one per order, as many as the limits allow. */
function boundedProofs(all: readonly OfflineCopy<CompleteProof>[]): OfflineCopy<CompleteProof>[] {
  const result: OfflineCopy<CompleteProof>[] = []
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
  // A message stays read; the row of an hour is unread again with its next result.
  const wasRead = ({ id, key }: Message): boolean => key !== resultGroupKey && byId.get(id)?.read === true
  for (const one of received) byId.set(one.id, { ...one, read: one.read || wasRead(one) })
  const value = [...byId.values()].sort((a, b) => b.at - a.at).slice(0, storedMessagesMax)
  return { value, at: Math.max(at, before?.at ?? 0) }
}
