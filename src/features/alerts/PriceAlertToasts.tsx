import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { filter } from 'rxjs'
import { priceAlert } from '../../../contract/priceAlerts.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { toast } from '../../ui/index.ts'

/** Shows that a price alert is reached, with a link to its product. */
export function PriceAlertToasts() {
  const { t } = useTranslation()
  const format = useFormat()
  const catalog = useCatalog()
  const { event$ } = useStreams()
  const latest = useLatest({ t, format, catalog })
  useEffect(() => {
    const reached$ = event$('alert', priceAlert).pipe(filter(({ status }) => status === 'reached'))
    const subscription = reached$.subscribe(({ kind, productId, price }) => {
      const known = latest()
      const product = known.catalog?.find(({ id }) => id === productId)?.code ?? productId
      toast({
        text: known.t(`alert.reached.${kind}`, { product, price: known.format.decimal(price) }),
        link: { label: known.t('alert.view'), href: hrefTo(paths.product, { id: productId }) },
      })
    })
    return () => subscription.unsubscribe()
  }, [event$, latest])
  return null
}
