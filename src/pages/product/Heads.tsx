import type { TFunction } from 'i18next'
import { memo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductDetail } from '../../../streams/index.ts'
import { productName } from '../../features/market/productDisplay.ts'
import { ReplayDate } from '../../features/market/ReplayDate.tsx'
import { useLanguage } from '../../hooks/useFormat.ts'
import { productListMedia, useMedia } from '../../hooks/useMedia.ts'
import { paths } from '../../paths.ts'
import { goBack } from '../../router/scrollRestoration.ts'
import { ConnectionNote } from '../../shell/ConnectionStatus.tsx'
import { toggleFavourite, usePreferences } from '../../state/preferences.ts'
import { cx, IconButton, TitleBar, useFocusHandover } from '../../ui/index.ts'
import { AlertButton } from './AlertButton.tsx'
import type { ShownStatus } from './preTradeCheck.ts'
import { ProductTitle } from './switcher/ProductTitle.tsx'
import styles from './Trading.module.css'

export type HeadProps = {
  product: ProductDetail
  status: ShownStatus
  alertsAreLoading: boolean
  onAlerts: () => void
  onSwitch: () => void
}

const statusText = (t: TFunction, status: ShownStatus): string =>
  status === 'paused' ? t('ticket.note.paused') : t(`product.status.${status}`)

/** Of a phone. */
export const PhoneHead = memo(function PhoneHead({ product, status, ...sheets }: HeadProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <TitleBar
      title={<ProductTitle code={product.code} onOpen={sheets.onSwitch} />}
      subtitle={
        <ConnectionNote>
          <span className={styles.subtitle}>
            <span className={styles.name}>{productName(product, language)}</span>
            <span className={styles.category}> · {t(`product.category.${product.category}`)}</span>
            <span> · {statusText(t, status)}</span>
          </span>
        </ConnectionNote>
      }
      back={{ label: t('common.back'), onClick: () => goBack(paths.products) }}
      actions={
        <>
          <AlertButton isLoading={sheets.alertsAreLoading} onOpen={sheets.onAlerts} />
          <Favourite id={product.id} />
        </>
      }
    />
  )
})

/** Above the chart, where that and the ticket are side by side. */
export const WideHead = memo(function WideHead({ product, status, ...sheets }: HeadProps) {
  const { t } = useTranslation()
  const hasList = useMedia(productListMedia)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusHandover(heading)
  const language = useLanguage()
  return (
    <header className={styles.wideHead}>
      <IconButton
        icon="caret-left"
        size={20}
        label={t('common.back')}
        onClick={() => goBack(paths.products)}
        className={styles.wideBack}
      />
      <h1 ref={heading} tabIndex={-1} className={cx(!hasList && styles.switches)}>
        {hasList ? product.code : <ProductTitle code={product.code} onOpen={sheets.onSwitch} />}
      </h1>
      <Favourite id={product.id} size={20} />
      <AlertButton size={20} isLoading={sheets.alertsAreLoading} onOpen={sheets.onAlerts} />
      <p className={styles.wideSubtitle}>
        <ConnectionNote>
          <span className={styles.wideFacts}>
            <span className={styles.wideName}>
              <span className={styles.name}>{productName(product, language)}</span>
            </span>
            <span className={styles.category}>{t(`product.category.${product.category}`)}</span>
            <b>{statusText(t, status)}</b>
            <ReplayDate product={product} className={undefined} />
          </span>
        </ConnectionNote>
      </p>
    </header>
  )
})

function Favourite({ id, size = 24 }: { id: string; size?: number }) {
  const { t } = useTranslation()
  const isFavourite = usePreferences().favourites.includes(id)
  return (
    <IconButton
      icon={isFavourite ? 'star-fill' : 'star'}
      size={size}
      label={t(isFavourite ? 'product.removeFavourite' : 'product.addFavourite')}
      pressed={isFavourite}
      onClick={() => toggleFavourite(id)}
    />
  )
}
