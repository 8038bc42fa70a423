import type { PushMessage, PushTransport } from '../../server/push/webPush.ts'

/** Push services that take every notification, or answer what the test says. */
export function fakePush(answer: (message: PushMessage, count: number) => number | Error = () => 201) {
  const sent: PushMessage[] = []
  return {
    sent,
    allows: (endpoint: string) => endpoint.startsWith('https://push.example/'),
    createKeys: async () => ({ publicKey: 'public key', privateKey: 'private key' }),
    send: async (message: PushMessage) => {
      sent.push(message)
      const status = answer(message, sent.length)
      if (status instanceof Error) throw status
      return status
    },
  } satisfies PushTransport & { sent: PushMessage[] }
}

/** A browser's subscription, as it would send it. */
export const pushSubscriptionOf = (device: string) => ({
  endpoint: `https://push.example/send/${device}`,
  keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
})
