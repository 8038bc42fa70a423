import { memo, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Minor } from '../../../contract/brand.ts'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import type { Duration, OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { noValue } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { pointerMedia, useMedia } from '../../hooks/useMedia.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { ticket } from '../../state/ticket.ts'
import { useTicketAmount } from './useTicketFacts.ts'
import { DurationChips, Icon } from '../../ui/index.ts'
import { averagingOf, secondsText } from '../../features/orders/averaging.ts'
import { durationText } from '../../features/orders/duration.ts'
import type { Estimate } from './estimate.ts'
import { estimateOutcome } from './estimate.ts'
import { EstimateCells } from './EstimateCells.tsx'
import type { BlockReason, TicketFacts } from './preTradeCheck.ts'
import { isAmountInvalid, maxStakeNow, preTradeCheck } from './preTradeCheck.ts'
import { blockReasonText } from './blockReasonText.ts'
import { durationKeysMax } from './shortcut.ts'
import { ShortcutHints } from './ShortcutHints.tsx'
import styles from './Ticket.module.css'
import { TicketAmount } from './TicketAmount.tsx'
import { GuestButtons, TradeButtons } from './TicketButtons.tsx'
import { useShortcuts } from './useShortcuts.ts'

export type TicketProps = {
  product: ProductDetail
  facts: TicketFacts
  wide: boolean
  /** `byKey`: requested by a shortcut, so the confirmation takes the focus. */
  onReview: (draft: OrderDraft, byKey: boolean) => void
}

/** The order form: duration, amount, estimated outcome, and the two buttons. */
export function Ticket({ product, facts, wide, onReview }: TicketProps) {
  const { t } = useTranslation()
  const reasonId = useId()
  const amount = useTicketAmount()
  const currency = useVenueConfig()?.currency ?? ''
  const { duration } = facts
  const blockReason = preTradeCheck(facts)
  const estimate = estimateOutcome(facts.amount, duration?.rateBp ?? product.rateBp)
  const review = (direction: Direction, byKey = false) => {
    if (blockReason !== undefined || duration === undefined || facts.amount === undefined) return
    const { seconds, rateBp } = duration
    onReview({ productId: product.id, direction, amount: formatMoney(facts.amount), seconds, rateBp }, byKey)
  }
  const isGuest = blockReason?.kind === 'login'
  const [isCapped, setCapped] = useState(false)
  const max = duration === undefined ? amountMax : maxStakeNow(duration, facts.limits)
  const section = useRef<HTMLElement>(null)
  const hasKeyboard = useMedia(pointerMedia) && wide && !isGuest
  const { shortcuts } = usePreferences()
  useShortcuts(section, hasKeyboard && shortcuts, (shortcut) => {
    if (shortcut.kind === 'direction') review(shortcut.direction, true)
    else selectDuration(product, product.durations[shortcut.index])
  })
  return (
    <section
      ref={section}
      className={styles.ticket}
      data-wide={wide || undefined}
      aria-label={t('ticket.title')}
    >
      {wide && <WideHead facts={facts} />}
      <Durations product={product} selected={duration} wide={wide} />
      <TicketAmount
        value={amount}
        onValue={setAmount}
        currency={currency}
        max={max}
        available={facts.available}
        invalid={isAmountInvalid(blockReason)}
        describedBy={reasonId}
        wide={wide}
        onCapped={setCapped}
      />
      {wide && (
        <div className={styles.cells}>
          <EstimateCells estimate={estimate} />
        </div>
      )}
      <div className={styles.info} id={reasonId} data-off={blockReason?.kind}>
        {!wide && facts.member && !isFault(blockReason) && <Balance facts={facts} />}
        <Note blockReason={blockReason} capped={isCapped ? max : null} estimate={wide ? null : estimate} />
        <ExitRule product={product} />
      </div>
      {isGuest ? (
        <GuestButtons productId={product.id} />
      ) : (
        <TradeButtons
          estimate={estimate}
          blockReason={blockReason}
          describedBy={reasonId}
          withKeys={hasKeyboard && shortcuts}
          onPick={review}
        />
      )}
      {hasKeyboard && (
        <ShortcutHints isOn={shortcuts} durations={Math.min(durationKeysMax, product.durations.length)} />
      )}
    </section>
  )
}

/** How the exit is found, if it is not simply the last tick. */
const ExitRule = memo(function ExitRule({ product }: { product: ProductDetail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const averaging = averagingOf(product)
  if (averaging === undefined) return null
  const seconds = secondsText(format, averaging.exitWindowMs)
  return <p className={styles.rule}>{t('ticket.exitAverage', { seconds })}</p>
})

function setAmount(text: string): void {
  ticket.amount = text
}

function selectDuration(product: ProductDetail, duration: Duration | undefined): void {
  if (duration !== undefined) ticket.seconds[product.id] = duration.seconds
}

type DurationsProps = { product: ProductDetail; selected: Duration | undefined; wide: boolean }

const Durations = memo(function Durations({ product, selected, wide }: DurationsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { durations } = product
  return (
    <>
      {wide && <p className={styles.label}>{t('ticket.durations')}</p>}
      <DurationChips
        label={t('ticket.durations')}
        items={durations.map(({ seconds, rateBp }) => ({
          value: String(seconds),
          label: durationText(t, seconds),
          rate: format.rate(rateBp),
        }))}
        value={selected && String(selected.seconds)}
        onChange={(value) =>
          selectDuration(
            product,
            durations.find(({ seconds }) => String(seconds) === value),
          )
        }
        {...(wide ? { columns: durations.length === 4 ? 4 : 3 } : {})}
      />
    </>
  )
})

function WideHead({ facts }: { facts: TicketFacts }) {
  const { t } = useTranslation()
  return (
    <div className={styles.head}>
      <h2>{t('ticket.title')}</h2>
      {facts.member && <Balance facts={facts} />}
    </div>
  )
}

function Balance({ facts }: { facts: TicketFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.balance}>
      <PracticeBadge />
      <span>
        {t('ticket.balance')}{' '}
        <b className={styles.available}>
          {facts.available === undefined ? noValue : format.money(facts.available)}
        </b>
      </span>
    </span>
  )
}

function EstimateLine({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.estimate}>
      {t('ticket.ifWrong')} <b>{format.money(estimate.loss)}</b> · {t('ticket.breakEven')}{' '}
      <b>{format.share(estimate.breakEven)}</b>
    </span>
  )
}

type NoteProps = { blockReason: BlockReason | undefined; capped: Minor | null; estimate: Estimate | null }

/** One of three: why no order can be placed, the maximum to which the amount was lowered, or what may be lost. */
function Note({ blockReason, capped, estimate }: NoteProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (blockReason !== undefined) return <Reason blockReason={blockReason} />
  if (capped !== null)
    return <output className={styles.capped}>{t('ticket.capped', { max: format.money(capped) })}</output>
  return estimate && <EstimateLine estimate={estimate} />
}

const hints = new Set<BlockReason['kind']>(['login', 'waiting', 'balanceWaiting'])

/** A fault takes the place of balance and estimate, so that the ticket does not grow under the finger. */
const isFault = (blockReason: BlockReason | undefined): boolean =>
  blockReason !== undefined && !hints.has(blockReason.kind)

function Reason({ blockReason }: { blockReason: BlockReason }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isHint = !isFault(blockReason)
  return (
    <span
      className={styles.reason}
      data-kind={isHint ? 'quiet' : isAmountInvalid(blockReason) ? 'fault' : 'warn'}
    >
      {!isHint && <Icon name="warning-circle" size={16} />}
      {blockReasonText(t, format, blockReason)}
    </span>
  )
}
