import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import type { Duration, IntentDraft, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { pointerMedia, useMedia } from '../../hooks/useMedia.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { ticket, useTicket } from '../../state/ticket.ts'
import { Button, Cells, DurationChips, Icon, TradeButton, VisuallyHidden } from '../../ui/index.ts'
import { durationText } from './duration.ts'
import type { Estimate } from './estimate.ts'
import { estimate } from './estimate.ts'
import type { OffReason, TicketFacts } from './offReason.ts'
import { isAmountFault, largestNow, offReason } from './offReason.ts'
import { offNote, offText } from './offText.ts'
import { durationKeysMax } from './shortcut.ts'
import { Shortcuts } from './Shortcuts.tsx'
import styles from './Ticket.module.css'
import { TicketAmount } from './TicketAmount.tsx'
import { useShortcuts } from './useShortcuts.ts'

export type TicketProps = {
  product: ProductDetail
  facts: TicketFacts
  wide: boolean
  /** `byKey`: a shortcut asked, so the next key is the confirmation's. */
  onAsk: (draft: IntentDraft, byKey: boolean) => void
}

/** Where an order is made: its duration, its amount, what it would bring, and the two buttons. */
export function Ticket({ product, facts, wide, onAsk }: TicketProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const reasonId = useId()
  const { amount } = useTicket()
  const config = useConfig()
  const { duration } = facts
  const off = offReason(facts)
  const told = estimate(facts.amount, duration?.rateBp ?? product.rateBp)
  const max = duration === undefined ? amountMax : largestNow(duration, facts.own)
  const ask = (direction: Direction, byKey = false) => {
    if (off !== undefined || duration === undefined || facts.amount === undefined) return
    const { seconds, rateBp } = duration
    const amount = formatMoney(facts.amount)
    onAsk({ productId: product.id, direction, amount, seconds, rateBp }, byKey)
  }
  const choose = (chosen: Duration | undefined) => {
    if (chosen !== undefined) ticket.seconds[product.id] = chosen.seconds
  }
  const button = (direction: Direction) => (
    <TradeButton
      direction={direction}
      label={t(direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')}
      note={
        off === undefined ? t('ticket.win', { amount: format.money(told.win, 'always') }) : offNote(t, off)
      }
      disabled={off !== undefined}
      describedBy={reasonId}
      keys={keyboard && shortcuts ? (direction === 'up' ? 'U' : 'D') : undefined}
      onClick={() => ask(direction)}
    />
  )
  const guest = off?.kind === 'login'
  const section = useRef<HTMLElement>(null)
  const keyboard = useMedia(pointerMedia) && wide && !guest
  const { shortcuts } = usePreferences()
  useShortcuts(section, keyboard && shortcuts, (shortcut) => {
    if (shortcut.kind === 'direction') ask(shortcut.direction, true)
    else choose(product.durations[shortcut.place])
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
        onChange={(value) => choose(product.durations.find(({ seconds }) => String(seconds) === value))}
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
        invalid={isAmountFault(off)}
        describedBy={reasonId}
        wide={wide}
      />
      {wide && (
        <div className={styles.cells}>
          <EstimateCells told={told} />
        </div>
      )}
      <div className={styles.info} id={reasonId} data-off={off?.kind}>
        {!wide && facts.member && <Balance facts={facts} />}
        {off === undefined ? !wide && <EstimateLine told={told} /> : <Reason off={off} />}
      </div>
      {guest ? (
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
      {keyboard && (
        <Shortcuts on={shortcuts} durations={Math.min(durationKeysMax, product.durations.length)} />
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

function EstimateLine({ told }: { told: Estimate }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.estimate}>
      {t('ticket.ifWrong')} <b>{format.money(told.loss)}</b> · {t('ticket.breakEven')}{' '}
      <b>{format.share(told.breakEven)}</b>
    </span>
  )
}

export function EstimateCells({ told, frame = 'rule' }: { told: Estimate; frame?: 'box' | 'rule' }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Cells
      frame={frame}
      items={[
        { key: 'right', label: t('ticket.ifRight'), value: format.money(told.win, 'always') },
        { key: 'wrong', label: t('ticket.ifWrong'), value: format.money(told.loss) },
        { key: 'even', label: t('ticket.breakEven'), value: format.share(told.breakEven) },
      ]}
    />
  )
}

function Reason({ off }: { off: OffReason }) {
  const { t } = useTranslation()
  const format = useFormat()
  const quiet = off.kind === 'login' || off.kind === 'waiting' || off.kind === 'balanceWaiting'
  return (
    <span className={styles.reason} data-kind={quiet ? 'quiet' : isAmountFault(off) ? 'fault' : 'warn'}>
      {!quiet && <Icon name="warning-circle" size={16} />}
      {offText(t, format, off)}
    </span>
  )
}
