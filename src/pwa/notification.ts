/** The texts of notifications in one language, with `{{product}}` and `{{price}}`. */
export type NotificationTexts = { above: string; below: string; crossing: string }

/** What the worker shows, and what a tap opens. */
export type AlertNotification = {
  title: string
  options: { lang: string; tag: string; icon: string; data: { url: string } }
}

/** What the venue sends: `PushPayload` of the contract. */
type Payload = { kind: keyof NotificationTexts; productId: string; code: string; price: string }

/**
 * The notification of a price alert; undefined for a payload of another kind. The same alert replaces its notification,
 * so that one that was sent twice is shown once.
 */
export function notificationOf(
  payload: unknown,
  language: string,
  texts: Readonly<Record<string, NotificationTexts>>,
): AlertNotification | undefined {
  const own = texts[language] ?? texts['en']
  if (own === undefined || !isPayload(payload)) return undefined
  const { kind, productId, code, price } = payload
  const title = own[kind].replace('{{product}}', code).replace('{{price}}', priceText(price, language))
  const url = `/#/pages/Detail/Detail?id=${encodeURIComponent(productId)}`
  const tag = `${productId} ${kind} ${price}`
  return { title, options: { lang: language, tag, icon: '/icons/icon-192.png', data: { url } } }
}

/** Digits grouped as the language does, with the price's own decimals. */
function priceText(price: string, language: string): string {
  const decimals = price.split('.')[1]?.length ?? 0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return new Intl.NumberFormat(language, { useGrouping: true, ...digits }).format(Number(price))
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== 'object' || value === null) return false
  const { kind, productId, code, price } = value as Record<string, unknown>
  const isKind = kind === 'above' || kind === 'below' || kind === 'crossing'
  return isKind && [productId, code, price].every((text) => typeof text === 'string')
}
