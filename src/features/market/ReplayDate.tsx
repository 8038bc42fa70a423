import { useTranslation } from 'react-i18next'
import type { Product } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { replayAt } from './source.ts'
import { useMirrored } from './useMirrored.ts'

export type ReplayDateProps = {
  product: Pick<Product, 'source' | 'passes' | 'lastAt'>
  className: string | undefined
}

/** The day whose prices a product replays, and whether mirrored; nothing if its prices are not replayed. */
export function ReplayDate({ product, className }: ReplayDateProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isMirrored = useMirrored(product)
  const day = replayAt(product.source)
  if (day === undefined) return null
  return (
    <span className={className}>
      {t(isMirrored ? 'products.replayMirrored' : 'products.replay', { date: format.date(day) })}
    </span>
  )
}
