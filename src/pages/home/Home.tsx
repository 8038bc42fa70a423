import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { Page } from '../../shell/Page.tsx'
import { Button, Card, ErrorState, Logo, Section, TextLink, VisuallyHidden } from '../../ui/index.ts'
import { AssetsCard } from '../../features/account/AssetsCard.tsx'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { ProductList, ProductListSkeleton } from '../../features/market/ProductList.tsx'
import { Bell } from './Bell.tsx'
import { HomeHighlights } from './HomeHighlights.tsx'
import { HomeNews } from './HomeNews.tsx'
import { HomeOrders } from './HomeOrders.tsx'
import { QuickLinks } from './QuickLinks.tsx'
import styles from './Home.module.css'

/** A member's home page: assets, recommended products, orders and news. */
export function Home() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Page
      root
      live
      refresh="bar"
      ground="money"
      width="wide"
      bar="phone"
      title={
        <>
          <Logo name={t('common.appName')} size={26} />
          <VisuallyHidden>, {t('title.home')}</VisuallyHidden>
        </>
      }
      actions={
        <>
          <LanguageSelect variant="short" />
          <Bell />
        </>
      }
    >
      <PracticeDate />
      <div className={styles.grid}>
        <div className={styles.assets}>
          <AssetsCard
            showHideToggle
            showTodayPnl
            actions={
              <>
                <Button block href={hrefTo(paths.deposit)}>
                  {t('home.deposit')}
                </Button>
                <Button block variant="secondary" href={hrefTo(paths.withdraw)}>
                  {t('home.withdraw')}
                </Button>
              </>
            }
          />
        </div>
        <div className={styles.shortcuts}>
          <QuickLinks />
        </div>
        <div className={styles.recommended}>
          <Recommended />
        </div>
        <div className={styles.orders}>
          <HomeOrders />
        </div>
        <div className={styles.highlights}>
          <HomeHighlights key={`highlights-${language}`} />
        </div>
        <div className={styles.news}>
          <HomeNews key={`news-${language}`} />
        </div>
      </div>
    </Page>
  )
}

const skeletonRows = 5

function Recommended() {
  const { t } = useTranslation()
  const format = useFormat()
  const { recommended$, refresh } = useStreams()
  const recommended = useLoadable(recommended$)
  const products = valueOf(recommended)
  return (
    <Section
      title={t('home.recommended')}
      action={
        <TextLink caret href={hrefTo(paths.products)}>
          {t('common.all')}
        </TextLink>
      }
    >
      <Card>
        {products ? (
          <ProductList products={products} caption="volume" label={t('home.recommended')} inset="card" />
        ) : recommended.state === 'failed' ? (
          <ErrorState title={t('products.failed')} retryLabel={t('common.retry')} onRetry={refresh}>
            {failureText(t, format, recommended.failure)}
          </ErrorState>
        ) : (
          <ProductListSkeleton rows={skeletonRows} inset="card" />
        )}
      </Card>
    </Section>
  )
}
