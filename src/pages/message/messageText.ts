import type { TFunction } from 'i18next'
import { messageKeys } from '../../../contract/content.ts'
import type { MessageKey } from '../../../contract/content.ts'
import { refundReasons } from '../../../contract/orders.ts'
import { moneyPattern } from '../../../contract/money.ts'
import type { Message } from '../../../streams/index.ts'
import { noValue } from '../../format.ts'
import type { Format } from '../../format.ts'

export type MessageText = { title: string; text: string }
/** What the text of a message needs besides its own parameters. */
export type MessageContext = { codeOf: (productId: string) => string; currency: string }

/** Keys whose text is in the packs; a message from the back office carries its own. */
type LocalizedKey = Exclude<MessageKey, 'desk'>
const isLocalizedKey = (key: string): key is LocalizedKey => key !== 'desk' && Object.hasOwn(messageKeys, key)

/** A message in the current language. An unknown key gets a generic text. */
export function messageText(
  t: TFunction,
  format: Format,
  message: Pick<Message, 'key' | 'params'>,
  context: MessageContext,
): MessageText {
  const { key, params } = message
  if (!isLocalizedKey(key)) return { title: t('message.unknown.title'), text: t('message.unknown.text') }
  const textParams = paramsForText(t, format, params, context)
  return { title: t(`message.of.${key}.title`, textParams), text: t(`message.of.${key}.text`, textParams) }
}

/** Formats the parameters; a missing one shows as {@link noValue}. */
function paramsForText(
  t: TFunction,
  format: Format,
  params: Message['params'],
  { codeOf, currency }: MessageContext,
) {
  const param = (name: string): string => {
    const value = params[name]
    return typeof value === 'string' && value !== '' ? value : noValue
  }
  const money = (name: string, sign: 'always' | 'never'): string =>
    moneyPattern.test(param(name)) ? format.money(param(name), sign) : noValue
  return {
    no: param('no'),
    product: codeOf(param('productId')),
    amount: `${money('amount', 'never')} ${currency}`,
    pnl: money('pnl', 'always'),
    status: resultText(t, param('status')),
    reason: reasonText(t, param('reason')),
    device: params['device'] === '' ? t('sessions.unknown') : param('device'),
    kind: param('kind') === 'transaction' ? t('message.transaction') : t('message.login'),
  }
}

const results: ReadonlySet<string> = new Set(['won', 'lost', 'tied', 'refunded'])
const resultText = (t: TFunction, status: string): string =>
  results.has(status) ? t(`order.status.${status as 'won' | 'lost' | 'tied' | 'refunded'}`) : status

const refunds: ReadonlySet<string> = new Set(refundReasons)
/** Refunds carry a reason code; a rejection by customer service carries free text. */
const reasonText = (t: TFunction, reason: string): string =>
  refunds.has(reason) ? t(`order.reason.${reason as (typeof refundReasons)[number]}`) : reason
