import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import type { Duration, OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { useVenueConfig } from '../../hooks/useVenueConfig.ts'
import { pointerMedia, useMedia } from '../../hooks/useMedia.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { ticket, useTicket } from '../../state/ticket.ts'
import { Button, Cells, DurationChips, Icon, TradeButton, VisuallyHidden } from '../../ui/index.ts'
import { durationText } from '../../features/orders/duration.ts'
import type { Estimate } from './estimate.ts'
import { estimateOutcome } from './estimate.ts'
import type { BlockReason, TicketFacts } from './preTradeCheck.ts'
import { isAmountInvalid, maxStakeNow, preTradeCheck } from './preTradeCheck.ts'
import { blockReasonNote, blockReasonText } from './blockReasonText.ts'
import { durationKeysMax } from './shortcut.ts'
import { ShortcutHints } from './ShortcutHints.tsx'
import styles from './Ticket.module.css'
import { TicketAmount } from './TicketAmount.tsx'
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
  const format = useFormat()
  const reasonId = useId()
  const { amount } = useTicket()
  const config = useVenueConfig()
  const { duration } = facts
  const blockReason = preTradeCheck(facts)
  const estimate = estimateOutcome(facts.amount, duration?.rateBp ?? product.rateBp)
  const max = duration === undefined ? amountMax : maxStakeNow(duration, facts.limits)
  const review = (direction: Direction, byKey = false) => {
    if (blockReason !== undefined || duration === undefined || facts.amount === undefined) return
    const { seconds, rateBp } = duration
    const amount = formatMoney(facts.amount)
    onReview({ productId: product.id, direction, amount, seconds, rateBp }, byKey)
  }
  const selectDuration = (selected: Duration | undefined) => {
    if (selected !== undefined) ticket.seconds[product.id] = selected.seconds
  }
  const button = (direction: Direction) => (
    <TradeButton
      direction={direction}
      label={t(direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')}
      note={
        blockReason === undefined
          ? t('ticket.win', { amount: format.money(estimate.win, 'always') })
          : blockReasonNote(t, blockReason)
      }
      disabled={blockReason !== undefined}
      describedBy={reasonId}
      shortcut={hasKeyboard && shortcuts ? (direction === 'up' ? 'U' : 'D') : undefined}
      onClick={() => review(direction)}
    />
  )
  const isGuest = blockReason?.kind === 'login'
  const section = useRef<HTMLElement>(null)
  const hasKeyboard = useMedia(pointerMedia) && wide && !isGuest
  const { shortcuts } = usePreferences()
  useShortcuts(section, hasKeyboard && shortcuts, (shortcut) => {
    if (shortcut.kind === 'direction') review(shortcut.direction, true)
    else selectDuration(product.durations[shortcut.index])
  })
  return (
    <section
      ref={section}
      className={styles.ticket}
      data-wide={wide || undefined}
      aria-label={t('ticket.title')}
    >
      {wide && (
        <div className={styles.head}>
          <h2>{t('ticket.title')}</h2>
          {facts.member && <Balance facts={facts} />}
        </div>
      )}
      {wide && <p className={styles.label}>{t('ticket.durations')}</p>}
      <DurationChips
        label={t('ticket.durations')}
        items={product.durations.map(({ seconds, rateBp }) => ({
          value: String(seconds),
          label: durationText(t, seconds),
          rate: format.rate(rateBp),
        }))}
        value={duration && String(duration.seconds)}
        onChange={(value) =>
          selectDuration(product.durations.find(({ seconds }) => String(seconds) === value))
        }
        {...(wide ? { columns: product.durations.length === 4 ? 4 : 3 } : {})}
      />
      <TicketAmount
        value={amount}
        onValue={(text) => {
          ticket.amount = text
        }}
        currency={config?.currency ?? ''}
        max={max}
        available={facts.available}
        invalid={isAmountInvalid(blockReason)}
        describedBy={reasonId}
        wide={wide}
      />
      {wide && (
        <div className={styles.cells}>
          <EstimateCells estimate={estimate} />
        </div>
      )}
      <div className={styles.info} id={reasonId} data-off={blockReason?.kind}>
        {!wide && facts.member && <Balance facts={facts} />}
        {blockReason === undefined ? (
          !wide && <EstimateLine estimate={estimate} />
        ) : (
          <Reason blockReason={blockReason} />
        )}
      </div>
      {isGuest ? (
        <div className={styles.buttons}>
          <Button variant="secondary" size="large" block href={hrefTo(paths.registerCheck)}>
            {t('ticket.register')}
          </Button>
          <Button size="large" block href={loginHref(product.id)}>
            {t('ticket.login')}
          </Button>
        </div>
      ) : (
        <div className={styles.buttons}>
          {button('up')}
          {button('down')}
        </div>
      )}
      {hasKeyboard && (
        <ShortcutHints isOn={shortcuts} durations={Math.min(durationKeysMax, product.durations.length)} />
      )}
    </section>
  )
}

const loginHref = (id: string): string =>
  hrefTo(paths.login, { next: `${paths.product}?id=${encodeURIComponent(id)}` })

function Balance({ facts }: { facts: TicketFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.balance}>
      <PracticeBadge />
      <span className={styles.available}>
        <VisuallyHidden>{t('ticket.balance')} </VisuallyHidden>
        {facts.available === undefined ? '' : format.money(facts.available)}
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

export function EstimateCells({ estimate, frame = 'rule' }: { estimate: Estimate; frame?: 'box' | 'rule' }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Cells
      border={frame}
      items={[
        { key: 'right', label: t('ticket.ifRight'), value: format.money(estimate.win, 'always') },
        { key: 'wrong', label: t('ticket.ifWrong'), value: format.money(estimate.loss) },
        { key: 'even', label: t('ticket.breakEven'), value: format.share(estimate.breakEven) },
      ]}
    />
  )
}

function Reason({ blockReason }: { blockReason: BlockReason }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isHint =
    blockReason.kind === 'login' || blockReason.kind === 'waiting' || blockReason.kind === 'balanceWaiting'
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
