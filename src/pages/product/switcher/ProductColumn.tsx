import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCatalog } from '../../../hooks/useCatalog.ts'
import { paths } from '../../../paths.ts'
import { hrefTo } from '../../../router/hashLocation.ts'
import { ProductPicker } from './ProductPicker.tsx'
import styles from './ProductColumn.module.css'

/** The list of products beside the chart of a wide window. */
export function ProductColumn({ current }: { current: string }) {
  const { t } = useTranslation()
  const column = useRef<HTMLElement>(null)
  const isLoaded = useCatalog() !== undefined
  useEffect(() => {
    const href = hrefTo(paths.product, { id: current })
    const row = isLoaded ? column.current?.querySelector(`[href="${href}"]`) : undefined
    const box = column.current?.getBoundingClientRect()
    if (!row || !box) return
    const { top, bottom } = row.getBoundingClientRect()
    // Not `scrollIntoView`, which would scroll the page too.
    if (top < box.top + searchPx) column.current?.scrollBy(0, top - box.top - searchPx)
    else if (bottom > box.bottom) column.current?.scrollBy(0, bottom - box.bottom)
  }, [current, isLoaded])
  return (
    <nav ref={column} className={styles.column} data-ground="market" aria-label={t('switcher.label')}>
      <ProductPicker current={current} />
    </nav>
  )
}

/** The search that stays above the rows, px. */
const searchPx = 60
