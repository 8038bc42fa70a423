import { and, eq, ne, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { pushRoutes } from '../../contract/push.ts'
import type { PushSubscriptionBody } from '../../contract/push.ts'
import { secondMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import type { Db } from '../db/database.ts'
import { pushSubscription } from '../db/schema/push.ts'
import { mount } from '../http/mount.ts'
import { sha256 } from '../keyDerivation.ts'
import type { Core, Module } from '../module.ts'
import type { Principal } from '../ports.ts'
import { createVault } from '../vault.ts'
import { createDeliveries } from './deliveries.ts'
import { createPushKeys } from './pushKeys.ts'
import { createWebPush } from './webPush.ts'

export type PushParts = Pick<
  Core,
  'fence' | 'clock' | 'random' | 'secrets' | 'settings' | 'report' | 'pushTransport'
> & {
  db: Db
}

/** Notifications on devices that are logged in (Web Push). They say what happened, never anything about money. */
export type Push = {
  /** Call after a statement has stored notifications. */
  onStored(): void
}

export { keepMs } from './deliveries.ts'

/** How often notifications that are due are sent. */
export const sendEveryMs = secondMs

export function createPush(parts: PushParts): Push & Module {
  const { db, settings } = parts
  const transport = parts.pushTransport ?? createWebPush()
  const vault = createVault(parts.secrets.uploadKey, 'push', parts.random)
  const keys = createPushKeys(db, vault, transport)
  const deliveries = createDeliveries({
    ...parts,
    keys,
    transport,
    contact: contactOf(settings.publicUrl),
    unseal: (sessionId, sealed) =>
      JSON.parse(vault.decrypt(sealed, sessionId).toString()) as PushSubscriptionBody,
  })
  const subscribe = async (principal: Principal, subscription: PushSubscriptionBody): Promise<void> => {
    if (!transport.allows(subscription.endpoint))
      throw new ApiError('VALIDATION', { fields: { endpoint: 'INVALID' } })
    const sealed = vault.encrypt(JSON.stringify(subscription), principal.sessionId)
    await saveSubscription(parts, principal, sha256(subscription.endpoint), sealed)
  }
  return {
    onStored: () => deliveries.onStored(),
    mount: (app) => mountRoutes(app, { db, subscribe, publicKey: async () => (await keys.get()).publicKey }),
    jobs: [{ name: 'send notifications to devices', everyMs: sendEveryMs, run: () => deliveries.sendDue() }],
  }
}

/** Push services want an address of the venue; without a public one they get a name that leads nowhere. */
const contactOf = (publicUrl: string | null): string =>
  publicUrl?.startsWith('https:') === true ? publicUrl : 'https://uptick.invalid'

type Calls = {
  db: Db
  publicKey: () => Promise<string>
  subscribe: (principal: Principal, subscription: PushSubscriptionBody) => Promise<void>
}

function mountRoutes(app: FastifyInstance, { db, publicKey, subscribe }: Calls): void {
  const ofSession = ({ sessionId }: Principal) => eq(pushSubscription.sessionId, sessionId)
  mount(app, pushRoutes.push, async ({ member }) => ({
    publicKey: await publicKey(),
    subscribed: (await db.$count(pushSubscription, ofSession(member))) > 0,
  }))
  mount(app, pushRoutes.subscribePush, async ({ member, body }) => {
    await subscribe(member, body)
    return undefined
  })
  mount(app, pushRoutes.unsubscribePush, async ({ member }) => {
    await db.delete(pushSubscription).where(ofSession(member))
    return undefined
  })
}

/** A session has one subscription, and a browser's subscription belongs to the session that stored it last. */
async function saveSubscription(
  { db, clock }: Pick<PushParts, 'db' | 'clock'>,
  { sessionId, memberId }: Principal,
  endpointHash: string,
  subscriptionSealed: Buffer,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isOther = and(
      eq(pushSubscription.endpointHash, endpointHash),
      ne(pushSubscription.sessionId, sessionId),
    )
    await tx.delete(pushSubscription).where(or(isOther, eq(pushSubscription.sessionId, sessionId)))
    await tx
      .insert(pushSubscription)
      .values({ sessionId, memberId, endpointHash, subscriptionSealed, createdAt: clock.now() })
  })
}
