import type { PushMessage, PushTransport } from '../../server/notices/push/webPush.ts'

type Answers = (message: PushMessage, count: number) => number | Error | Promise<number>
type FakePush = PushTransport & {
  sent: PushMessage[]
  /** What they answer; a test may change it. */
  answers: Answers
}

/** Push services that take every notification, or answer what the test says. */
export function fakePush(answers: Answers = () => 201): FakePush {
  const sent: PushMessage[] = []
  const push: FakePush = {
    sent,
    answers,
    allows: (endpoint: string) => /^https:\/\/([a-z]+\.)?push\.example\//.test(endpoint),
    createKeys: async () => ({ publicKey: 'public key', privateKey: 'private key' }),
    send: async (message: PushMessage) => {
      sent.push(message)
      const status = await push.answers(message, sent.length)
      if (status instanceof Error) throw status
      return status
    },
  }
  return push
}

/** A point of P-256, as every browser's key is one. */
const publicKeyOfBrowser =
  'BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo'

/** A browser's subscription, as it would send it. */
export const pushSubscriptionOf = (device: string, host = 'push.example') => ({
  endpoint: `https://${host}/send/${device}`,
  keys: { p256dh: publicKeyOfBrowser, auth: 'a'.repeat(22) },
})
