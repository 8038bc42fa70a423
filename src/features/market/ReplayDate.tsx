import { useTranslation } from 'react-i18next'
import { isMirroredPass } from '../../../contract/replayFingerprint.ts'
import type { Product } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { replayAt } from './source.ts'

export type ReplayDateProps = {
  product: Pick<Product, 'source' | 'passes' | 'lastAt'>
  className: string | undefined
}

/** The day whose prices a product replays, and whether mirrored; nothing if its prices are not replayed. */
export function ReplayDate({ product: { source, passes, lastAt }, className }: ReplayDateProps) {
  const { t } = useTranslation()
  const format = useFormat()
  // Until the venue's time is known, that of the last price.
  const at = useMinute() || lastAt
  const day = replayAt(source)
  if (day === undefined) return null
  const isMirrored = passes !== undefined && isMirroredPass(passes, at)
  return (
    <span className={className}>
      {t(isMirrored ? 'products.replayMirrored' : 'products.replay', { date: format.date(day) })}
    </span>
  )
}
