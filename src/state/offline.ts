import * as z from 'zod/mini'
import { message } from '../../contract/content.ts'
import { order } from '../../contract/orders.ts'
import type { Order } from '../../contract/orders.ts'
import { gap, head, product, restTick, source } from '../../contract/products.ts'
import type { Message, MessageBox, Product } from '../../streams/index.ts'
import { createMemberShelf, shelved } from './memberShelf.ts'
import type { MemberShelfParts } from './memberShelf.ts'

/** Bounds of what is kept for one member; the oldest gives way. */
export const keptOrdersMax = 300
export const keptMessagesMax = 100
export const keptProofsMax = 30
/** Of all kept proofs together: the ticks are what makes them large. */
export const keptTicksMax = 30_000
/** What was last seen, and when the venue said so. */
export type Kept<T> = { value: T; at: number }

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
export type KeptProof = z.infer<typeof proof>

const stamped = <T>(value: z.ZodMiniType<T>) => z.object({ value, at: z.int() })
const orders = shelved(z.array(stamped(order)))
const proofs = shelved(z.array(stamped(proof)))
const messages = shelved(stamped(z.array(message)))
const products = shelved(stamped(z.array(product)))

export type Offline = ReturnType<typeof createOffline>

/**
 * What a member saw last, kept on the device so that it can be read without the venue: orders, proofs, messages, and the
 * products' names that these speak of. Each belongs to the member who saw it, and goes with the end of their session.
 */
export function createOffline(parts: MemberShelfParts) {
  const { shelf, memberId } = parts
  const { read, change } = createMemberShelf(parts)
  return {
    /** Whether the one who is logged in now still is; for answers that take a while. */
    forMember: (): (() => boolean) => {
      const member = memberId()
      return () => memberId() === member
    },
    /** Takes in orders as the venue told them at an instant; of each the newest version stays. */
    keepOrders: (told: readonly Order[], at: number) =>
      change('orders', orders, (before = []) => mergedOrders(before, told, at)),
    keepProof: (told: KeptProof, at: number) =>
      change('proofs', proofs, (before = []) => boundedProofs([{ value: told, at }, ...before])),
    /** Takes in the newest page of messages, or one message that came by itself. */
    keepMessages: (told: readonly Message[], at: number) =>
      change('messages', messages, (before) => mergedMessages(before, told, at)),
    keepProducts: (told: readonly Product[], at: number) =>
      change('products', products, () => ({ value: [...told], at })),
    orders: () => read('orders', orders),
    order: async (id: string): Promise<Kept<Order> | undefined> =>
      (await read('orders', orders))?.find(({ value }) => value.id === id),
    proof: async (orderId: string): Promise<Kept<KeptProof> | undefined> =>
      (await read('proofs', proofs))?.find(({ value }) => value.order.id === orderId),
    messages: async (): Promise<Kept<MessageBox> | undefined> => {
      const found = await read('messages', messages)
      return found && { value: { items: found.value, nextCursor: null }, at: found.at }
    },
    products: () => read('products', products),
    /** Takes away what is not the present member's: after log-out everything. */
    forgetOthers: (): Promise<void> => {
      const member = memberId()
      return shelf.keepOnly(member === undefined ? undefined : `${member}/`)
    },
  }
}

function mergedOrders(before: readonly Kept<Order>[], told: readonly Order[], at: number): Kept<Order>[] {
  const byId = new Map(before.map((kept) => [kept.value.id, kept]))
  for (const value of told) {
    const known = byId.get(value.id)
    if (known === undefined || value.version >= known.value.version) byId.set(value.id, { value, at })
  }
  return [...byId.values()]
    .sort((a, b) => b.value.acceptedAt - a.value.acceptedAt || (a.value.id < b.value.id ? 1 : -1))
    .slice(0, keptOrdersMax)
}

/** The newest first, each order's once, as many as the bounds let in. */
function boundedProofs(all: readonly Kept<KeptProof>[]): Kept<KeptProof>[] {
  const kept: Kept<KeptProof>[] = []
  let ticks = 0
  for (const one of all) {
    const count = one.value.ticks.length
    if (kept.some(({ value }) => value.order.id === one.value.order.id)) continue
    if (kept.length === keptProofsMax || ticks + count > keptTicksMax) continue
    ticks += count
    kept.push(one)
  }
  return kept
}

function mergedMessages(
  before: Kept<Message[]> | undefined,
  told: readonly Message[],
  at: number,
): Kept<Message[]> {
  const byId = new Map(before?.value.map((one) => [one.id, one]))
  for (const one of told) byId.set(one.id, { ...one, read: one.read || byId.get(one.id)?.read === true })
  const value = [...byId.values()].sort((a, b) => b.at - a.at).slice(0, keptMessagesMax)
  return { value, at: Math.max(at, before?.at ?? 0) }
}
