import { memo, useId, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { minor, type Minor } from '../../../contract/units.ts'
import { amountOf, type DecimalMark } from '../../../contract/amount.ts'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import type { Duration, OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { pointerMedia, useMedia } from '../../hooks/useMedia.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { usePreferences } from '../../state/preferences.ts'
import { useOneTapMax } from '../../state/oneTap.ts'
import { keepAmount, ticket, useTicket } from '../../state/ticket.ts'
import { DurationChips, Icon, TextLink } from '../../ui/index.ts'
import { averagingOf, secondsText } from '../../features/orders/averaging.ts'
import { durationText } from '../../features/orders/duration.ts'
import { estimateOutcome, type Estimate } from './estimate.ts'
import { EstimateCells } from './EstimateCells.tsx'
import {
  isAmountInvalid,
  maxStakeNow,
  preTradeCheck,
  type BlockReason,
  type TicketFacts,
} from './preTradeCheck.ts'
import { blockReasonText } from './blockReasonText.ts'
import type { Review } from './OrderEntry.tsx'
import type { Shortcut } from './shortcut.ts'
import { ShortcutHints } from './ShortcutHints.tsx'
import styles from './Ticket.module.css'
import { TicketAmount } from './TicketAmount.tsx'
import { GuestButtons, TradeButtons } from './TicketButtons.tsx'
import { useShortcuts } from './useShortcuts.ts'

export type TicketProps = {
  product: ProductDetail
  facts: TicketFacts
  /** `wide`: beside the chart. `bar`: below a chart that fills the screen. */
  layout: 'phone' | 'wide' | 'bar'
  /** Where keys operate it; the ticket itself by default. */
  keysIn?: RefObject<HTMLElement | null>
  /** Something fills the screen above it: it takes no keys. */
  covered?: boolean
  onReview: (draft: OrderDraft, how: Review) => void
}

/** The order form: duration, amount, estimated outcome, and the two buttons. */
export function Ticket({ product, facts, layout, keysIn, covered = false, onReview }: TicketProps) {
  const { t } = useTranslation()
  const wide = layout === 'wide'
  const reasonId = useId()
  const { decimalMark } = useFormat()
  const currency = useVenueConfig()?.currency ?? ''
  const { placing } = useTicket()
  const { duration } = facts
  const blockReason = preTradeCheck(facts)
  const estimate = estimateOutcome(facts.amount, duration?.rateBp ?? product.rateBp)
  const review = useReview(product, facts, blockReason, onReview)
  const isGuest = blockReason?.kind === 'login'
  const [isCapped, setCapped] = useState(false)
  const max = duration === undefined ? amountMax : maxStakeNow(duration, facts.limits)
  const section = useRef<HTMLElement>(null)
  const hasKeyboard = useMedia(pointerMedia) && layout !== 'phone' && !isGuest
  const { shortcuts } = usePreferences()
  useShortcuts(keysIn ?? section, hasKeyboard && shortcuts && !covered, shortcutAction(product, review))
  return (
    <section
      ref={section}
      className={styles.ticket}
      data-wide={wide || undefined}
      data-bar={layout === 'bar' || undefined}
      aria-label={t('ticket.title')}
    >
      {wide && <WideHead facts={facts} />}
      <div className={styles.durations}>
        <Durations product={product} selected={duration} wide={wide} />
      </div>
      <TicketAmount
        value={facts.amountText}
        onValue={(text, isUsual) => setAmount(product.id, text, isUsual, decimalMark)}
        currency={currency}
        min={duration === undefined ? minor(0) : moneyOf(duration.min)}
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
        <OneTapNote />
      </div>
      {isGuest ? (
        <GuestButtons productId={product.id} />
      ) : (
        <TradeButtons
          estimate={estimate}
          blockReason={blockReason}
          placing={placing}
          describedBy={reasonId}
          withKeys={hasKeyboard && shortcuts}
          onPick={review}
        />
      )}
      {hasKeyboard && wide && <ShortcutHints isOn={shortcuts} durations={product.durations.length} />}
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

const shortcutAction =
  (product: ProductDetail, review: ReturnType<typeof useReview>) =>
  (shortcut: Shortcut): boolean => {
    if (shortcut.kind === 'direction') review(shortcut.direction, true)
    if (shortcut.kind === 'duration') selectDuration(product, product.durations[shortcut.index])
    return shortcut.kind !== 'product'
  }

/** Asks for an order of the ticket in a direction: of a small one without confirmation, if the member wants that. */
function useReview(
  product: ProductDetail,
  { duration, amount }: TicketFacts,
  blockReason: BlockReason | undefined,
  onReview: TicketProps['onReview'],
): (direction: Direction, byKey?: boolean) => void {
  const oneTapMax = useOneTapMax()
  return (direction, byKey = false) => {
    if (blockReason !== undefined || duration === undefined || amount === undefined) return
    const { seconds, rateBp } = duration
    const isOneTap = oneTapMax !== undefined && amount <= oneTapMax && !byKey
    const draft = { productId: product.id, direction, amount: formatMoney(amount), seconds, rateBp }
    onReview(draft, isOneTap ? 'oneTap' : byKey ? 'key' : 'tap')
  }
}

/** That small orders need no confirmation, with the way to change it. */
function OneTapNote() {
  const { t } = useTranslation()
  const format = useFormat()
  const max = useOneTapMax()
  if (max === undefined) return null
  return (
    <p className={styles.rule}>
      <TextLink href={hrefTo(paths.settings)}>{t('oneTap.ticket', { max: format.money(max) })}</TextLink>
    </p>
  )
}

function setAmount(productId: string, text: string, isUsual: boolean, mark: DecimalMark): void {
  ticket.amount = text
  if (!isUsual) return
  const amount = amountOf(text, mark)
  if (amount !== undefined && amount > 0 && amount <= amountMax) keepAmount(productId, formatMoney(amount))
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
    <span key={facts.available === undefined ? 'empty' : 'known'} className={styles.balance}>
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
      {t('ticket.ifWrong')} <b>{format.money(estimate.loss)}</b> · {t('ticket.breakEvenShort')}{' '}
      <b>{format.share(estimate.breakEven)}</b>
    </span>
  )
}

type NoteProps = { blockReason: BlockReason | undefined; capped: Minor | null; estimate: Estimate | null }

/** One of three: why no order can be placed, the maximum to which the amount was lowered, or what may be lost. */
function Note({ blockReason, capped, estimate }: NoteProps) {
  const { t } = useTranslation()
  const format = useFormat()
  // A fault and a hint have different places: one does not move to the other's.
  if (blockReason !== undefined)
    return <Reason key={isFault(blockReason) ? 'fault' : 'hint'} blockReason={blockReason} />
  if (capped !== null)
    return <output className={styles.capped}>{t('ticket.capped', { max: format.money(capped) })}</output>
  return estimate && <EstimateLine estimate={estimate} />
}

const hints = new Set<BlockReason['kind']>(['login', 'waiting', 'balanceWaiting', 'empty'])

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
      {blockReason.kind === 'empty' && (
        <>
          {' '}
          <TextLink href={hrefTo(paths.deposit)}>{t('home.deposit')}</TextLink>
        </>
      )}
    </span>
  )
}
