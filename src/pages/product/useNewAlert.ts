import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseDecimalInput, type DecimalMark } from '../../../contract/amount.ts'
import { formatPrice, parsePrice } from '../../../contract/price.ts'
import type { PriceUnits } from '../../../contract/units.ts'
import { alertRises, priceAlertRoutes, type AlertKind } from '../../../contract/priceAlerts.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { isOutcomeUnknown } from '../../features/transfers/idempotentRequest.ts'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useQuote } from '../../hooks/useQuote.ts'
import { toast } from '../../ui/index.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'

type Body = { productId: string; kind: AlertKind; price: string }

/**
 * The state of the form for a price alert. It starts at the price that was asked for, or at the one that the member saw when
 * it opened, and says which way that is.
 */
export function useNewAlert(product: ProductDetail, asked?: PriceUnits) {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const { id: productId, code, priceDecimals } = product
  const mark: DecimalMark = format.decimalMark
  const last = useQuote(productId)?.price || parsePrice(product.last, priceDecimals)
  const [first] = useState(asked ?? last)
  const [text, setText] = useState(() =>
    first === undefined ? '' : formatPrice(first, priceDecimals).replace('.', mark),
  )
  const [kind, setKind] = useState<AlertKind>(() =>
    first !== undefined && last !== undefined && first < last ? 'below' : 'above',
  )
  const [error, setError] = useState<string>()
  const [send] = useIdempotentRequest((body: Body, key: string) =>
    call(priceAlertRoutes.createPriceAlert, { body }, { key }),
  )

  const [submit, busy, problem] = useSubmit(async () => {
    setError(undefined)
    const price = parseDecimalInput(text, priceDecimals, mark) ?? undefined
    const units = price === undefined ? undefined : parsePrice(price, priceDecimals)
    if (price === undefined || units === undefined)
      return setError(t('alert.wrongPrice', { price: format.price(product.last, priceDecimals) }))
    if (last !== undefined && alertRises(kind, units, last) === undefined)
      return setError(codeText(t, format, 'ALERT_REACHED'))
    const result = await send({ productId, kind, price })
    if (result === undefined) return undefined
    if (!result.ok) {
      const { failure } = result
      const isOfPrice = failure.kind === 'rejected' && failure.code === 'ALERT_REACHED'
      if (isOfPrice) return setError(failureText(t, format, failure))
      return isOutcomeUnknown(failure) ? t('alert.unknown') : failure
    }
    // While an answer is missing the first request is sent again, whatever is typed by then.
    const created = result.value
    const what = t(`alert.what.${created.kind}`, { product: code, price: format.decimal(created.price) })
    toast({ kind: 'success', text: t('alert.done', { what }) })
    return undefined
  })
  return {
    kind,
    setKind: (next: AlertKind) => {
      setKind(next)
      setError(undefined)
    },
    text,
    setText: (next: string) => {
      setText(next)
      setError(undefined)
    },
    last,
    error,
    problem,
    busy,
    submit,
  }
}
