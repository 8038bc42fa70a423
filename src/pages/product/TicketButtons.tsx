import { useTranslation } from 'react-i18next'
import type { Direction } from '../../../contract/orders.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Button, TradeButton } from '../../ui/index.ts'
import { blockReasonNote } from './blockReasonText.ts'
import type { Estimate } from './estimate.ts'
import type { BlockReason } from './preTradeCheck.ts'
import styles from './Ticket.module.css'

export type TradeButtonsProps = {
  estimate: Estimate
  /** Why no order can be placed now. */
  blockReason: BlockReason | undefined
  /** The direction of the order that is being placed. */
  placing: Direction | undefined
  describedBy: string
  /** Shows the keys that press the buttons. */
  withKeys: boolean
  onPick: (direction: Direction) => void
}

/** The two buttons that open the confirmation. */
export function TradeButtons(props: TradeButtonsProps) {
  const { estimate, blockReason, placing, describedBy, withKeys, onPick } = props
  const { t } = useTranslation()
  const format = useFormat()
  const note =
    blockReason === undefined
      ? t('ticket.win', { amount: format.money(estimate.win, 'always') })
      : blockReasonNote(t, blockReason)
  return (
    <div className={styles.buttons}>
      {(['up', 'down'] as const).map((direction) => (
        <TradeButton
          key={direction}
          direction={direction}
          label={t(direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')}
          note={note}
          busy={placing === direction}
          disabled={blockReason !== undefined || (placing !== undefined && placing !== direction)}
          describedBy={describedBy}
          shortcut={withKeys ? (direction === 'up' ? 'U' : 'D') : undefined}
          onClick={() => onPick(direction)}
        />
      ))}
    </div>
  )
}

/** A guest logs in or registers, as on the front page, and then returns to the product. */
export function GuestButtons({ productId }: { productId: string }) {
  const { t } = useTranslation()
  const next = `${paths.product}?id=${encodeURIComponent(productId)}`
  return (
    <div className={styles.buttons}>
      <Button size="large" block href={hrefTo(paths.login, { next })}>
        {t('ticket.login')}
      </Button>
      <Button variant="secondary" size="large" block href={hrefTo(paths.registerCheck)}>
        {t('ticket.register')}
      </Button>
    </div>
  )
}
