import { useRef, type Ref, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { assertNever } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import { placementValidMs, type ProductDetail } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import type { Format } from '../../text/format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { productName } from '../../features/market/productDisplay.ts'
import { Button, DirectionTile, Stat, Icon, KeyValues, Sheet, Spinner } from '../../ui/index.ts'
import styles from './ConfirmSheet.module.css'
import { averageText, averagingOf, secondsText } from '../../features/orders/averaging.ts'
import { durationText } from '../../features/orders/duration.ts'
import { estimateOutcome } from './estimate.ts'
import { EstimateCells } from './EstimateCells.tsx'
import { LivePrice } from '../../features/market/LivePrice.tsx'
import type { BlockReason } from './preTradeCheck.ts'
import { blockReasonText } from './blockReasonText.ts'
import { isInSheet, type Notice, type PlacementState } from './placement.ts'

export type ConfirmSheetProps = {
  product: ProductDetail
  placement: PlacementState
  /** Set if the market changed while the sheet was open. */
  blockReason: BlockReason | undefined
  /** Focuses the confirm button on opening, so that Enter confirms. */
  focusConfirm: boolean
  /** The chart while it fills the screen. */
  container?: RefObject<HTMLElement | null> | undefined
  onClose: () => void
  onConfirm: () => void
}

/** The terms of an order to confirm, then the outcome of the placement. */
export function ConfirmSheet({
  product,
  placement,
  blockReason,
  focusConfirm,
  container,
  onClose,
  onConfirm,
}: ConfirmSheetProps) {
  const { t } = useTranslation()
  const busy = placement.step === 'sending' || placement.step === 'unknown'
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Sheet
      open={isInSheet(placement)}
      onClose={onClose}
      locked={busy}
      title={t('ticket.confirm')}
      closeLabel={t('common.close')}
      container={container}
      overTicket={container === undefined}
      {...(focusConfirm ? { initialFocus: button } : {})}
      footer={
        isInSheet(placement) && (
          <Footer
            placement={placement}
            blockReason={blockReason}
            busy={busy}
            button={button}
            onConfirm={onConfirm}
          />
        )
      }
    >
      {isInSheet(placement) && <Terms product={product} placement={placement} />}
    </Sheet>
  )
}

type ActivePlacement = Exclude<PlacementState, { step: 'closed' | 'placing' }>

function Terms({ product, placement }: { product: ProductDetail; placement: ActivePlacement }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const config = useVenueConfig()
  const { draft } = placement
  const buy = t(draft.direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')
  const averaging = averagingOf(product)
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
              {productName(product, language)} · {t(`product.category.${product.category}`)}
            </p>
          </div>
        </div>
        <div className={styles.amount}>
          <Stat unit={config?.currency}>{format.money(draft.amount)}</Stat>
          <PracticeBadge />
        </div>
      </div>
      <KeyValues
        items={[
          { key: 'duration', label: t('ticket.duration'), value: durationText(t, draft.seconds) },
          { key: 'now', label: t('ticket.priceNow'), value: <LivePrice id={product.id} /> },
          {
            key: 'entry',
            label: t('ticket.entryPrice'),
            value: averaging
              ? t('ticket.delayedTick', { seconds: secondsText(format, averaging.entryDelayMs) })
              : t('ticket.nextTick'),
          },
          ...(averaging
            ? [
                {
                  key: 'exit',
                  label: t('ticket.exitPrice'),
                  value: averageText(t, format, averaging.exitWindowMs),
                },
              ]
            : []),
          { key: 'rate', label: t('ticket.rate'), value: format.rate(draft.rateBp) },
        ]}
      />
      <EstimateCells estimate={estimateOutcome(moneyOf(draft.amount), draft.rateBp)} frame="box" />
    </div>
  )
}

type FooterProps = {
  placement: ActivePlacement
  blockReason: BlockReason | undefined
  busy: boolean
  button: Ref<HTMLButtonElement>
  onConfirm: () => void
}

function Footer({ placement, blockReason, busy, button, onConfirm }: FooterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { draft } = placement
  const notice = placement.step === 'reviewing' ? placement.notice : undefined
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
        disabled={blockReason !== undefined}
        icon={draft.direction === 'up' ? 'arrow-up-bold' : 'arrow-down-bold'}
        onClick={onConfirm}
      >
        {buy} {format.money(draft.amount)}
      </Button>
      <output className={styles.hold}>
        {placement.step === 'unknown' && <Spinner />}
        {statusText(t, format, placement, blockReason)}
      </output>
    </div>
  )
}

function statusText(
  t: TFunction,
  format: Format,
  placement: ActivePlacement,
  blockReason: BlockReason | undefined,
): string {
  if (placement.step === 'sending') return t('ticket.sending')
  if (placement.step === 'unknown') return t('ticket.unknown')
  return blockReason === undefined
    ? t('ticket.termsHold', { seconds: placementValidMs / 1000 })
    : blockReasonText(t, format, blockReason)
}

function noticeText(t: TFunction, format: Format, notice: Notice): string {
  switch (notice.kind) {
    case 'rate':
      return t('ticket.rateChanged', { from: format.rate(notice.from), to: format.rate(notice.to) })
    case 'rateThen':
      return t('ticket.rateThen', { from: format.rate(notice.from), to: format.rate(notice.to) })
    case 'rejected':
      return failureText(t, format, notice.failure)
    case 'expired':
      return t('ticket.expired')
    default:
      return assertNever(notice)
  }
}
