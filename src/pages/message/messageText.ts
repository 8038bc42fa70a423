import type { TFunction } from 'i18next'
import { messageKeys, resultGroupKey, type MessageKey } from '../../../contract/content.ts'
import { freezeReasons, type FreezeReason } from '../../../contract/freeze.ts'
import { finalStatuses, refundReasons } from '../../../contract/orders.ts'
import { alertKinds, type AlertKind } from '../../../contract/priceAlerts.ts'
import { moneyPattern } from '../../../contract/money.ts'
import type { Message } from '../../../streams/index.ts'
import { outcomeText } from '../../features/orders/orderLabels.ts'
import { noValue, type Format } from '../../text/format.ts'

export type MessageText = { title: string; text: string }
/** What the text of a message needs besides its own parameters. */
export type MessageContext = { codeOf: (productId: string) => string; currency: string }

/** Keys whose text is in the packs; a message from the office carries its own. */
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
  if (key === resultGroupKey) return hourText(t, format, params)
  if (!isLocalizedKey(key)) return { title: t('message.unknown.title'), text: t('message.unknown.text') }
  const textParams = paramsForText(t, format, params, context)
  return { title: t(`message.of.${key}.title`, textParams), text: t(`message.of.${key}.text`, textParams) }
}

/** The row of an hour's results: their number and sum, and the hour. */
function hourText(t: TFunction, format: Format, params: Message['params']): MessageText {
  const { count, pnl } = params
  const time = (at: unknown): string => (isInstantText(at) ? format.timeShort(Number(at)) : noValue)
  const sum = typeof pnl === 'string' && moneyPattern.test(pnl) ? format.money(pnl, 'always') : noValue
  const title = t('order.endedMany', { count: Number(count), pnl: sum })
  return { title, text: `${time(params['from'])}–${time(params['to'])}` }
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
  const money = (name: string): string =>
    moneyPattern.test(param(name)) ? format.money(param(name)) : noValue
  return {
    no: param('no'),
    product: codeOf(param('productId')),
    alert: alertText(t, param('condition'), {
      product: codeOf(param('productId')),
      price: format.decimal(param('price')),
    }),
    amount: `${money('amount')} ${currency}`,
    reversed: `${money('reversed')} ${currency}`,
    outcome: outcomeOf(t, format, param('status'), param('pnl')),
    reason: reasonText(t, param('reason')),
    device: params['device'] === '' ? t('sessions.unknown') : param('device'),
    name: param('name'),
    left: param('left'),
    until: dateText(format, params['until']),
    kind: param('kind') === 'transaction' ? t('message.transaction') : t('message.login'),
  }
}

const isFinalStatus = (status: string): status is (typeof finalStatuses)[number] =>
  (finalStatuses as readonly string[]).includes(status)

const outcomeOf = (t: TFunction, format: Format, status: string, pnl: string): string =>
  isFinalStatus(status)
    ? outcomeText(t, format, { status, reason: null, pnl: moneyPattern.test(pnl) ? pnl : null })
    : status

const refunds: ReadonlySet<string> = new Set(refundReasons)
/** Refunds and freezes carry a reason code; a rejection by customer service carries free text. */
const reasonText = (t: TFunction, reason: string): string =>
  refunds.has(reason)
    ? t(`order.reason.${reason as (typeof refundReasons)[number]}`)
    : freezes.has(reason)
      ? t(`message.frozenFor.${reason as FreezeReason}`)
      : reason
const freezes: ReadonlySet<string> = new Set(freezeReasons)

const kinds: ReadonlySet<string> = new Set(alertKinds)
const alertText = (t: TFunction, kind: string, params: { product: string; price: string }): string =>
  kinds.has(kind) ? t(`alert.reached.${kind as AlertKind}`, params) : noValue

/** An instant, which parameters of messages have as text. */
const dateText = (format: Format, at: unknown): string =>
  isInstantText(at) ? format.dateTimeShort(Number(at)) : noValue

const isInstantText = (at: unknown): at is string => typeof at === 'string' && /^\d{1,15}$/.test(at)
