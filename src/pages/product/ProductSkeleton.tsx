import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Skeleton, VisuallyHidden } from '../../ui/index.ts'
import styles from './ProductSkeleton.module.css'

/** The page in its final sizes, until the product is loaded: the chart's place stays empty. */
export function ProductSkeleton() {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={<Title />} backTo={paths.products} width="full" live>
      <output className={styles.body} aria-label={t('common.loading')}>
        <span className={styles.figures}>
          <Skeleton line={36} width={168} />
          <Skeleton line={13} width={112} />
        </span>
        <span className={styles.frames}>
          <Skeleton width={220} height={12} />
        </span>
        <span className={styles.chart} />
        <span className={styles.ticket}>
          <span className={styles.cells}>
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
            <Skeleton height={44} radius={8} />
          </span>
          <Skeleton height={48} radius={8} />
          <Skeleton line={12} width={180} />
          <span className={styles.cells}>
            <Skeleton height={56} radius={8} />
            <Skeleton height={56} radius={8} />
          </span>
        </span>
      </output>
    </Page>
  )
}

/** The heading takes the focus when the page opens, so it needs a text before the product is loaded. */
function Title() {
  const { t } = useTranslation()
  return (
    <>
      <Skeleton line={17} width={96} />
      <VisuallyHidden>{t('title.product')}</VisuallyHidden>
    </>
  )
}
