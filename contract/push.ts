import * as z from 'zod/mini'
import { route } from './route.ts'

/** Base64 without padding, for addresses, of `bytes` bytes. */
const base64Url = (bytes: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`)))

/** What a browser's `PushSubscription` says of itself: where messages are sent, and the keys that encrypt them. */
export const pushSubscription = z.strictObject({
  endpoint: z.string().check(z.maxLength(1000), z.regex(/^https:\/\/[^\s@]+$/)),
  keys: z.strictObject({ p256dh: base64Url(65), auth: base64Url(16) }),
})
export type PushSubscriptionBody = z.infer<typeof pushSubscription>

/** What a notification on the device is about: the decrypted payload. `code` is the product's, for people. */
export type PushPayload = {
  kind: 'above' | 'below' | 'crossing'
  productId: string
  code: string
  price: string
}

export const pushRoutes = {
  push: route({
    method: 'GET',
    path: '/push',
    summary: "The venue's public key for Web Push, and whether this session's device is subscribed",
    member: true,
    status: 200,
    answer: z.object({ publicKey: z.string(), subscribed: z.boolean() }),
  }),
  subscribePush: route({
    method: 'PUT',
    path: '/push',
    summary: "Send notifications to this session's device, until the session ends",
    member: true,
    body: pushSubscription,
    status: 204,
    answer: null,
  }),
  unsubscribePush: route({
    method: 'DELETE',
    path: '/push',
    summary: "Send no more notifications to this session's device",
    member: true,
    status: 204,
    answer: null,
  }),
}
