import { newcomer, stranger, transactionPassword } from '../stranger.ts'
import type { Answer, Stranger } from '../stranger.ts'

/** A call that moves money, and its answer if one came. */
export type Intent = {
  readonly path: string
  readonly body: unknown
  readonly key: string
  answer: Answer<{ id: string }> | null
}

/** What the tests' product offers: settled before the next start is long over. */
export const seconds = 1
export const rateBp = 8000

type Dice = { next(): number; uuid(): string }

/** One member who trades on several lanes at once until the venue dies, and remembers everything that was sent. */
export type Trader = {
  readonly sent: Intent[]
  /** The venue answers at this address from now on. */
  moveTo(url: string): void
  /** Sends until a call is left without an answer; `lanes` calls are in flight at a time. Each answer is told. */
  trade(dice: Dice, lanes: number, onAnswer: () => void): Promise<void>
  /** The member's browser, at the venue's present address. */
  browser(): Stranger
}

export async function openTrader(url: string, account: string, phone: string): Promise<Trader> {
  let browser = await newcomer(url, account, phone)
  const sent: Intent[] = []
  let told = (): void => undefined

  const send = async (path: string, body: unknown, key: string): Promise<Intent> => {
    const intent: Intent = { path, body, key, answer: null }
    sent.push(intent)
    intent.answer = await browser.pay<{ id: string }>(path, body, key)
    told()
    return intent
  }
  const order = (dice: Dice): object => ({
    productId: 'TEST',
    direction: dice.next() < 0.5 ? 'up' : 'down',
    amount: `${1 + Math.floor(dice.next() * 20)}.00`,
    seconds,
    rateBp,
    validUntil: Date.now() + 20_000,
  })
  const withdraw = async (dice: Dice): Promise<void> => {
    const asked = await send('/api/withdrawals', { amount: '3.00', transactionPassword }, dice.uuid())
    const id = asked.answer?.body.id
    if (id !== undefined && dice.next() < 0.7) {
      await send(`/api/withdrawals/${id}/cancel`, undefined, dice.uuid())
    }
  }
  const act = async (dice: Dice): Promise<unknown> => {
    const turn = dice.next()
    if (turn < 0.7) return send('/api/orders', order(dice), dice.uuid())
    if (turn < 0.8) return send('/api/deposits', { methodId: 'practice', amount: '5.00' }, dice.uuid())
    if (turn < 0.9) return send('/api/fund/deposits', { amount: '2.00' }, dice.uuid())
    return withdraw(dice)
  }
  const lane = async (dice: Dice): Promise<void> => {
    try {
      for (;;) await act(dice)
    } catch (error) {
      // fetch fails in this way when the other end dies; anything else is a fault of the test.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
    }
  }
  return {
    sent,
    browser: () => browser,
    moveTo: (address) => void (browser = stranger(address, browser.session)),
    trade: async (dice, lanes, onAnswer) => {
      told = onAnswer
      await Promise.all(Array.from({ length: lanes }, () => lane(dice)))
    },
  }
}

/** Lets a member withdraw: an account bound, a name verified by the desk. */
export async function admitToWithdrawals(
  trader: Trader,
  url: string,
  deskKey: string,
  photo: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const browser = trader.browser()
  const upload = async (purpose: string): Promise<string> => {
    const form = new FormData()
    form.append('purpose', purpose)
    form.append('file', new Blob([photo], { type: 'image/jpeg' }), 'photo.jpg')
    const { cookie, token } = browser.session
    const answer = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      headers: { cookie, 'x-csrf-token': token },
      body: form,
    })
    return ((await answer.json()) as { uploadId: string }).uploadId
  }
  const bank = { bank: 'Bank', cardNumber: '6222021234567890', accountAddress: 'Street 1' }
  const account = { type: 'bank', accountName: 'Name', nationality: 'CN', ...bank }
  await browser.call('POST', '/api/withdrawal-account', { body: account })
  const person = { name: '金丝雀', idNumber: '11010519491231002X', nationality: 'CN' }
  const photos = { frontUploadId: await upload('id_front'), backUploadId: await upload('id_back') }
  await browser.call('POST', '/api/verification', { body: { ...person, ...photos } })
  const me = await browser.get<{ id: string }>('/api/me')
  const headers = { authorization: `Bearer ${deskKey}` }
  const approved = await fetch(`${url}/desk/verifications/${me.body.id}/approve`, { method: 'POST', headers })
  if (!approved.ok) throw new Error(`verification: ${approved.status} ${await approved.text()}`)
}
