import { Agent, request, type RequestOptions } from 'node:https'
import type { PushPayload, PushSubscriptionBody } from '../../../contract/push.ts'
import { secondMs } from '../../../contract/time.ts'
import { guardedLookup, isPublicAddress, isPushAddress, type AllowsAddress } from './pushAddress.ts'

/** The key pair that identifies the venue to push services (VAPID), as base64 for addresses. */
export type PushKeys = { publicKey: string; privateKey: string }
export type PushMessage = {
  subscription: PushSubscriptionBody
  payload: PushPayload
  keys: PushKeys
  /** Where an operator of a push service finds the venue's: an https or mailto address. */
  contact: string
  /** How long the service keeps it for a device that is away, in ms. */
  keepMs: number
}

/** The way to push services; a test has its own. */
export type PushTransport = {
  /** Whether messages may be sent to the address of a subscription. */
  allows(endpoint: string): boolean
  createKeys(): Promise<PushKeys>
  /** Encrypts and sends. Resolves with the HTTP status that the push service answers; rejects without an answer. */
  send(message: PushMessage): Promise<number>
}

/** For a request, from the search for its name to the answer. */
const timeoutMs = 10 * secondMs

/** A test's own server in the place of the services: its port, certificate and network address. */
export type OwnPushServer = { port: number; ca?: string; allowsAddress: AllowsAddress }

/** @param services the names of the push services that messages may be sent to */
export function createWebPush(services: readonly string[], own?: OwnPushServer): PushTransport {
  const agent = new Agent({
    lookup: guardedLookup(own?.allowsAddress ?? isPublicAddress),
    ...(own?.ca !== undefined && { ca: own.ca }),
  })
  const port = own?.port ?? 443
  // Loaded when it is needed first: most venues start without it.
  const library = async () => (await import('web-push')).default
  const allows = (endpoint: string): boolean => isPushAddress(endpoint, services)
  return {
    allows,
    createKeys: async () => (await library()).generateVAPIDKeys(),
    send: async ({ subscription, payload, keys, contact, keepMs }) => {
      if (!allows(subscription.endpoint)) throw new Error('the address of the subscription is not allowed')
      // The library only encrypts and signs: its own request would read an answer of any length.
      const { headers, body } = (await library()).generateRequestDetails(
        subscription,
        JSON.stringify(payload),
        {
          vapidDetails: { subject: contact, ...keys },
          TTL: keepMs / secondMs,
          urgency: 'high',
        },
      )
      return post(subscription.endpoint, { headers, agent, port }, body)
    },
  }
}

/** The status of the answer; what it says besides is not read, and no redirect is followed. */
function post(address: string, options: RequestOptions, body: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(address, { ...options, method: 'POST', signal }, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
