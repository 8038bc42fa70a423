import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductListSkeleton } from '../../features/market/ProductList.tsx'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { Card, Logo, Section, TextLink, VisuallyHidden } from '../../ui/index.ts'
import { Bell } from './Bell.tsx'
import { QuickLinks } from './QuickLinks.tsx'
import styles from './Home.module.css'

export type HomeLayoutProps = {
  /** The assets, with the open orders below them. */
  assets: ReactNode
  recommended: ReactNode
  /** Further areas of the grid. */
  children?: ReactNode
}

/** What the home page shows, in its order on a phone. */
export function HomeLayout({ assets, recommended, children }: HomeLayoutProps) {
  const { t } = useTranslation()
  const all = (
    <TextLink caret href={hrefTo(paths.products)}>
      {t('common.all')}
    </TextLink>
  )
  return (
    <div className={styles.grid}>
      <div className={styles.assets}>{assets}</div>
      <div className={styles.shortcuts}>
        <QuickLinks />
      </div>
      <div className={styles.recommended}>
        <Section title={t('home.recommended')} action={all}>
          <Card>{recommended}</Card>
        </Section>
      </div>
      {children}
    </div>
  )
}

export function HomeTitle() {
  const { t } = useTranslation()
  return (
    <>
      <Logo name={t('common.appName')} size={26} />
      <VisuallyHidden>, {t('title.home')}</VisuallyHidden>
    </>
  )
}

export const HomeActions = () => (
  <>
    <LanguageSelect variant="short" />
    <Bell />
  </>
)

const skeletonRows = 4

export const RecommendedSkeleton = () => <ProductListSkeleton rows={skeletonRows} inset="card" />
