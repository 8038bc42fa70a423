import { createPublicKey } from 'node:crypto'
import { and, desc, eq, inArray, ne, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { pushRoutes, type PushSubscriptionBody } from '../../../contract/push.ts'
import { secondMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { lockUntilCommit } from '../../platform/db/advisoryLock.ts'
import type { Db } from '../../platform/db/database.ts'
import { member as memberTable, session as sessionTable } from '../../platform/db/schema.ts'
import { pushSubscription } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { sha256 } from '../../platform/keyDerivation.ts'
import type { Core, Module } from '../../platform/module.ts'
import type { Principal } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'
import { createDeliveries } from './deliveries.ts'
import { browserPushServices } from './pushAddress.ts'
import { createPushKeys } from './pushKeys.ts'
import type { NoticesSettings } from '../settings.ts'
import { createWebPush, type PushTransport } from './webPush.ts'

export type PushParts = Pick<Core, 'fence' | 'clock' | 'random' | 'secrets' | 'report'> & {
  db: Db
  settings: Pick<NoticesSettings, 'publicUrl' | 'pushServices'>
  /** How notifications reach devices; default: over the push services of their browsers. */
  pushTransport?: PushTransport
}

/** Notifications on devices that are logged in (Web Push). They say what happened, never anything about money. */
export type Push = {
  /** Call after a statement has stored notifications. */
  onStored(): void
}

export { keepMs } from './deliveries.ts'

/** How often notifications that are due are sent. */
export const sendEveryMs = secondMs
/** Devices of one member; with one more, that which asked first gets no more notifications. */
export const devicesMax = 5

export function createPush(parts: PushParts): Push & Module {
  const { db, settings } = parts
  const transport = parts.pushTransport ?? createWebPush([...browserPushServices, ...settings.pushServices])
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
    // Nothing could ever be encrypted for it, and a push service would seem not to answer.
    if (!isPublicKey(subscription.keys.p256dh))
      throw new ApiError('VALIDATION', { fields: { 'keys.p256dh': 'INVALID' } })
    const sealed = vault.encrypt(JSON.stringify(subscription), principal.sessionId)
    await saveSubscription(parts, principal, sha256(subscription.endpoint), sealed)
  }
  return {
    onStored: () => deliveries.onStored(),
    mount: (app) => mountRoutes(app, { db, subscribe, publicKey: async () => (await keys.get()).publicKey }),
    stop: () => deliveries.stop(),
    jobs: [{ name: 'send notifications to devices', everyMs: sendEveryMs, run: () => deliveries.sendDue() }],
  }
}

/** Push services require an address of the venue; without a public one they get a name that does not resolve. */
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

/**
 * A session has one subscription, and a browser's subscription belongs to the session that stored it last. Of the member's
 * others the newest stay.
 */
async function saveSubscription(
  { db, clock }: Pick<PushParts, 'db' | 'clock'>,
  { sessionId, memberId }: Principal,
  endpointHash: string,
  subscriptionSealed: Buffer,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Two devices of a member that subscribe at once do so one after the other, and two members with one browser.
    const { id } = memberTable
    await tx.select({ id }).from(memberTable).where(eq(id, memberId)).for('no key update')
    await lockUntilCommit(tx, `push ${endpointHash}`)
    const ofSession = eq(sessionTable.id, sessionId)
    const sessions = await tx
      .select({ id: sessionTable.id })
      .from(sessionTable)
      .where(ofSession)
      .for('key share')
    if (sessions.length === 0) throw new ApiError('UNAUTHENTICATED')
    const isOther = and(
      eq(pushSubscription.endpointHash, endpointHash),
      ne(pushSubscription.sessionId, sessionId),
    )
    await tx.delete(pushSubscription).where(or(isOther, eq(pushSubscription.sessionId, sessionId)))
    await tx
      .insert(pushSubscription)
      .values({ sessionId, memberId, endpointHash, subscriptionSealed, createdAt: clock.now() })
    const others = await tx
      .select({ sessionId: pushSubscription.sessionId })
      .from(pushSubscription)
      .where(and(eq(pushSubscription.memberId, memberId), ne(pushSubscription.sessionId, sessionId)))
      .orderBy(desc(pushSubscription.createdAt), desc(pushSubscription.sessionId))
    const oldest = others.slice(devicesMax - 1).map((other) => other.sessionId)
    if (oldest.length > 0)
      await tx.delete(pushSubscription).where(inArray(pushSubscription.sessionId, oldest))
  })
}

/** Whether this is an uncompressed point of P-256, as a browser's key is. */
function isPublicKey(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url')
  const part = (from: number): string => bytes.subarray(from, from + 32).toString('base64url')
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, format: 'jwk' })
    return bytes[0] === 4
  } catch {
    return false
  }
}
