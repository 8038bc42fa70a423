import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Direction } from '../../../contract/orders.ts'
import type { IntentDraft, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { ticket, useTicket } from '../../state/ticket.ts'
import { Button, Cells, DurationChips, Icon, TradeButton, VisuallyHidden } from '../../ui/index.ts'
import { durationText } from './duration.ts'
import type { Estimate } from './estimate.ts'
import { estimate } from './estimate.ts'
import type { OffReason, TicketFacts } from './offReason.ts'
import { isAmountFault, largestOf, offReason } from './offReason.ts'
import { offNote, offText } from './offText.ts'
import styles from './Ticket.module.css'
import { TicketAmount } from './TicketAmount.tsx'

export type TicketProps = {
  product: ProductDetail
  facts: TicketFacts
  wide: boolean
  onAsk: (draft: IntentDraft) => void
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
  const max = duration === undefined ? amountMax : largestOf(duration)
  const ask = (direction: Direction) => {
    if (off !== undefined || duration === undefined || facts.amount === undefined) return
    onAsk({
      productId: product.id,
      direction,
      amount: formatMoney(facts.amount),
      seconds: duration.seconds,
      rateBp: duration.rateBp,
    })
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
      onClick={() => ask(direction)}
    />
  )
  const guest = off?.kind === 'login'
  return (
    <section className={styles.ticket} data-wide={wide || undefined} aria-label={t('ticket.title')}>
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
        onChange={(value) => {
          ticket.seconds[product.id] = Number(value)
        }}
        {...(wide ? { columns: 3 } : {})}
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
      />
      {wide && <EstimateCells told={told} />}
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
