import { useRef } from 'react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { assertNever } from '../../../contract/brand.ts'
import { moneyOf } from '../../../contract/money.ts'
import { intentValidMs } from '../../../streams/index.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import type { Format } from '../../format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { nameOf } from '../products/figures.ts'
import { Button, DirectionTile, Figure, Icon, KeyValues, Sheet, Spinner } from '../../ui/index.ts'
import styles from './ConfirmSheet.module.css'
import { durationText } from './duration.ts'
import { estimate } from './estimate.ts'
import { LivePrice } from '../products/LivePrice.tsx'
import type { OffReason } from './offReason.ts'
import { offText } from './offText.ts'
import type { Notice, Placing } from './placement.ts'
import { EstimateCells } from './Ticket.tsx'

export type ConfirmSheetProps = {
  product: ProductDetail
  placing: Placing
  /** The market changed while the sheet was open. */
  off: OffReason | undefined
  /** Opens with the focus on its button, so that Enter confirms. */
  ready: boolean
  onClose: () => void
  onConfirm: () => void
}

/** The terms of an order, to be confirmed; then what became of it, in words. */
export function ConfirmSheet({ product, placing, off, ready, onClose, onConfirm }: ConfirmSheetProps) {
  const { t } = useTranslation()
  const busy = placing.step === 'sending' || placing.step === 'unknown'
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Sheet
      open={placing.step !== 'closed'}
      onClose={onClose}
      locked={busy}
      title={t('ticket.confirm')}
      closeLabel={t('common.close')}
      {...(ready ? { initialFocus: button } : {})}
      footer={
        placing.step !== 'closed' && (
          <Footer placing={placing} off={off} busy={busy} button={button} onConfirm={onConfirm} />
        )
      }
    >
      {placing.step !== 'closed' && <Terms product={product} placing={placing} />}
    </Sheet>
  )
}

type Asked = Exclude<Placing, { step: 'closed' }>

function Terms({ product, placing }: { product: ProductDetail; placing: Asked }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const config = useConfig()
  const { draft } = placing
  const buy = t(draft.direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')
  return (
    <div className={styles.terms}>
      <div>
        <div className={styles.product}>
          <DirectionTile direction={draft.direction} />
          <div>
            <p className={styles.name}>
              {buy} {product.code}
            </p>
            <p className={styles.caption}>
              {nameOf(product, language)} · {t(`product.category.${product.category}`)}
            </p>
          </div>
        </div>
        <div className={styles.amount}>
          <Figure unit={config?.currency}>{format.money(draft.amount)}</Figure>
          <PracticeBadge />
        </div>
      </div>
      <KeyValues
        items={[
          { key: 'duration', label: t('ticket.duration'), value: durationText(t, draft.seconds) },
          { key: 'now', label: t('ticket.priceNow'), value: <LivePrice id={product.id} /> },
          { key: 'entry', label: t('ticket.entryPrice'), value: t('ticket.nextTick') },
          { key: 'rate', label: t('ticket.rate'), value: format.rate(draft.rateBp) },
        ]}
      />
      <EstimateCells told={estimate(moneyOf(draft.amount), draft.rateBp)} frame="box" />
    </div>
  )
}

type FooterProps = {
  placing: Asked
  off: OffReason | undefined
  busy: boolean
  button: Ref<HTMLButtonElement>
  onConfirm: () => void
}

function Footer({ placing, off, busy, button, onConfirm }: FooterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { draft } = placing
  const notice = placing.step === 'asking' ? placing.notice : undefined
  const buy = t(draft.direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')
  return (
    <div className={styles.footer}>
      {notice !== undefined && (
        <p className={styles.notice} role="alert">
          <Icon name="warning-circle" size={16} />
          {noticeText(t, format, notice)}
        </p>
      )}
      <Button
        ref={button}
        variant={draft.direction}
        size="large"
        block
        busy={busy}
        disabled={off !== undefined}
        icon={draft.direction === 'up' ? 'arrow-up-bold' : 'arrow-down-bold'}
        onClick={onConfirm}
      >
        {buy} {format.money(draft.amount)}
      </Button>
      <output className={styles.hold}>
        {placing.step === 'unknown' && <Spinner />}
        {holdText(t, format, placing, off)}
      </output>
    </div>
  )
}

function holdText(t: TFunction, format: Format, placing: Asked, off: OffReason | undefined): string {
  if (placing.step === 'sending') return t('ticket.sending')
  if (placing.step === 'unknown') return t('ticket.unknown')
  return off === undefined
    ? t('ticket.termsHold', { seconds: intentValidMs / 1000 })
    : offText(t, format, off)
}

function noticeText(t: TFunction, format: Format, notice: Notice): string {
  switch (notice.kind) {
    case 'rate':
      return t('ticket.rateChanged', { from: format.rate(notice.from), to: format.rate(notice.to) })
    case 'refused':
      return failureText(t, format, notice.failure)
    case 'expired':
      return t('ticket.expired')
    default:
      return assertNever(notice)
  }
}
