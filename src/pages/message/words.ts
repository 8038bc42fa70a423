import type { TFunction } from 'i18next'
import { messageKeys } from '../../../contract/content.ts'
import type { MessageKey } from '../../../contract/content.ts'
import { refundReasons } from '../../../contract/orders.ts'
import { moneyPattern } from '../../../contract/money.ts'
import type { Message } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import type { Format } from '../../format.ts'

export type MessageWords = { title: string; text: string }
/** What the words of a message draw on besides its own parameters. */
export type MessageFacts = { codeOf: (productId: string) => string; currency: string }

/** Keys whose text is in the packs; what the desk writes brings its own. */
type Told = Exclude<MessageKey, 'desk'>
const isTold = (key: string): key is Told => key !== 'desk' && Object.hasOwn(messageKeys, key)

/** A message of the venue in the language shown. A key that this version does not know says so. */
export function messageWords(
  t: TFunction,
  format: Format,
  message: Pick<Message, 'key' | 'params'>,
  facts: MessageFacts,
): MessageWords {
  const { key, params } = message
  if (!isTold(key)) return { title: t('message.unknown.title'), text: t('message.unknown.text') }
  const figures = shown(t, format, params, facts)
  return { title: t(`message.of.${key}.title`, figures), text: t(`message.of.${key}.text`, figures) }
}

/** Parameters as a reader wants them; what is missing shows as not known. */
function shown(t: TFunction, format: Format, params: Message['params'], { codeOf, currency }: MessageFacts) {
  const given = (name: string): string => {
    const value = params[name]
    return typeof value === 'string' && value !== '' ? value : noFigure
  }
  const money = (name: string, sign: 'always' | 'never'): string =>
    moneyPattern.test(given(name)) ? format.money(given(name), sign) : noFigure
  return {
    no: given('no'),
    product: codeOf(given('productId')),
    amount: `${money('amount', 'never')} ${currency}`,
    pnl: money('pnl', 'always'),
    status: resultWord(t, given('status')),
    reason: reasonWord(t, given('reason')),
    kind: given('kind') === 'transaction' ? t('message.transaction') : t('message.login'),
  }
}

const results: ReadonlySet<string> = new Set(['won', 'lost', 'tied', 'refunded'])
const resultWord = (t: TFunction, status: string): string =>
  results.has(status) ? t(`order.status.${status as 'won' | 'lost' | 'tied' | 'refunded'}`) : status

const refunds: ReadonlySet<string> = new Set(refundReasons)
/** Refunds name their rule by a code; what customer service refuses, it explains in its own words. */
const reasonWord = (t: TFunction, reason: string): string =>
  refunds.has(reason) ? t(`order.reason.${reason as (typeof refundReasons)[number]}`) : reason
