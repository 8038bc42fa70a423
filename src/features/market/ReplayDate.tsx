import { useTranslation } from 'react-i18next'
import { isMirroredPass } from '../../../contract/replayFingerprint.ts'
import type { Product } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { replayAt } from './source.ts'

export type ReplayDateProps = {
  product: Pick<Product, 'source' | 'passes'>
  className: string | undefined
}

/** The day whose prices a product replays, and whether mirrored; nothing if its prices are not replayed. */
export function ReplayDate({ product: { source, passes }, className }: ReplayDateProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useMinute()
  const at = replayAt(source)
  if (at === undefined) return null
  const isMirrored = now > 0 && passes !== undefined && isMirroredPass(passes, now)
  return (
    <span className={className}>
      {t(isMirrored ? 'products.replayMirrored' : 'products.replay', { date: format.date(at) })}
    </span>
  )
}
