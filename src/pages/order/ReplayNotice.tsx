import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon } from '../../ui/index.ts'
import styles from './ReplayNotice.module.css'
import { useReplay } from './useReplay.ts'

/** A notice that an order's prices were replayed, from which day, and so were publicly known. */
export function ReplayNotice({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const replay = useReplay(order)
  if (replay === undefined) return null
  const { at, isMirrored } = replay
  return (
    <p className={styles.note}>
      <Icon name="clock-counter-clockwise" size={16} />
      {at === undefined
        ? t('order.replayAny')
        : t(isMirrored ? 'order.replayMirrored' : 'order.replay', { date: format.date(at) })}
    </p>
  )
}
