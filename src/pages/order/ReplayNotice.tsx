import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isMirroredAt, replayOf } from '../../../contract/replayFingerprint.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Icon } from '../../ui/index.ts'
import { replayAt } from '../../features/market/source.ts'
import styles from './ReplayNotice.module.css'
import { useProduct } from './useProduct.ts'

/** A notice that an order's prices were replayed, from which day, and so were publicly known. */
export function ReplayNotice({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const streams = useStreams()
  const { productId, terms, acceptedAt } = order
  const detail = valueOf(useLoadable(useMemo(() => streams.product$(productId), [streams, productId])))
  const product = useProduct(productId)
  if (replayOf(terms.source) === undefined) return null
  // The product may have another source by now. Until its sources are loaded, its newest one is the best guess.
  const source = detail?.sources.find(({ fingerprint }) => fingerprint === terms.source)
  const at = replayAt(source?.text ?? product?.source ?? '')
  const isMirrored = source !== undefined && isMirroredAt(source, acceptedAt)
  return (
    <p className={styles.note}>
      <Icon name="clock-counter-clockwise" size={16} />
      {at === undefined
        ? t('order.replayAny')
        : t(isMirrored ? 'order.replayMirrored' : 'order.replay', { date: format.date(at) })}
    </p>
  )
}
