import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { goBack } from '../../router/scrollRestoration.ts'
import { PageFrame } from '../../shell/PageFrame.tsx'
import { Skeleton, TitleBar, VisuallyHidden } from '../../ui/index.ts'
import styles from './ProductSkeleton.module.css'

/** A product's page in its final sizes, before its code is loaded; it is prerendered as well. */
export function ProductFrame() {
  const { t } = useTranslation()
  const back = { label: t('common.back'), onClick: () => goBack(paths.products) }
  return (
    <PageFrame ground="market" width="full">
      <TitleBar title={<SkeletonTitle />} back={back} />
      <main>
        <SkeletonBody />
      </main>
    </PageFrame>
  )
}

/** The heading takes the focus when the page opens, so it needs a text before the product is loaded. */
export function SkeletonTitle() {
  const { t } = useTranslation()
  return (
    <>
      <Skeleton line={17} className={styles.title} />
      <VisuallyHidden>{t('title.product')}</VisuallyHidden>
    </>
  )
}

const dayLabels = ['high', 'low', 'volume', 'amount'] as const

/** The chart's place stays empty. The sizes are in the style sheet: what is prerendered has no style attributes. */
export function SkeletonBody() {
  const { t } = useTranslation()
  return (
    <output className={styles.body} aria-label={t('common.loading')}>
      <span className={styles.figures}>
        <span>
          <Skeleton line={36} className={styles.price} />
          <Skeleton line={13} className={styles.change} />
        </span>
        <span className={styles.day} aria-hidden="true">
          {dayLabels.map((name) => (
            <span key={name}>
              {t(`product.${name}`)}
              <Skeleton line={12} className={styles.figure} />
            </span>
          ))}
        </span>
      </span>
      <span className={styles.frames}>
        <Skeleton className={styles.frameNames} />
      </span>
      <span className={styles.chart} />
      <span className={styles.ticket}>
        <span className={styles.cells}>
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
        </span>
        <Skeleton className={styles.field} />
        <Skeleton line={12} className={styles.note} />
        <span className={styles.cells}>
          <Skeleton className={styles.button} />
          <Skeleton className={styles.button} />
        </span>
      </span>
    </output>
  )
}
