import { useTranslation } from 'react-i18next'
import type { Product } from '../../../streams/index.ts'
import { afterPaint } from '../../start/afterPaint.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { createLazy } from '../../start/lazy.ts'
import { lazyStreams } from '../../start/lazyStreams.ts'
import { loadAheadOf } from '../../start/ahead.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { paths } from '../../paths.ts'
import { ReportedLoadFailure } from '../../shell/LoadFailure.tsx'
import { Page } from '../../shell/Page.tsx'
import { usePage } from '../../shell/usePage.ts'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import type { OfflineCopy } from '../../state/offlineStore.ts'
import { Card, Skeleton } from '../../ui/index.ts'
import { AssetsCard } from '../../features/account/AssetsCard.tsx'
import { DepositWithdrawButtons } from '../../features/account/DepositWithdrawButtons.tsx'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { ProductList } from '../../features/market/ProductList.tsx'
import { HomeActions, HomeLayout, HomeTitle, RecommendedSkeleton } from './HomeLayout.tsx'
import { OpenOrdersLine } from './OpenOrdersLine.tsx'
import styles from './Home.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

loadAheadOf(paths.home, async () => {
  const streams = lazyStreams.value
  if (streams) await Promise.all([firstLoaded(streams.assets$), firstLoaded(streams.recommended$)])
})

/** What a phone shows further down: the balance does not wait for its code. */
const homeSections = createLazy(async () => {
  await afterPaint()
  return (await import('./HomeSections.tsx')).HomeSections
})

/** A member's home page: assets, recommended products, orders and news. */
export function Home() {
  return (
    <Page
      root
      receives="prices"
      refresh="bar"
      ground="money"
      width="wide"
      bar="phone"
      title={<HomeTitle />}
      actions={<HomeActions />}
    >
      <PracticeDate />
      <HomeLayout
        assets={
          <>
            <AssetsCard showHideToggle showTodayPnl actions={<DepositWithdrawButtons />} />
            <OpenOrdersLine />
          </>
        }
        recommended={<Recommended />}
      >
        <Sections />
      </HomeLayout>
    </Page>
  )
}

function Sections() {
  const { t } = useTranslation()
  const [sections, retry] = usePage(homeSections)
  if (sections.state === 'ready') return <sections.Page />
  return (
    <div className={styles.orders}>
      <Card>
        {sections.state === 'failed' ? (
          <ReportedLoadFailure
            name="homeSections"
            title={t('home.ordersFailed')}
            failure={sections.failure}
            retry={retry}
          />
        ) : (
          <output aria-label={t('common.loading')}>
            <Skeleton height={160} />
          </output>
        )}
      </Card>
    </div>
  )
}

async function readRecommended(): Promise<OfflineCopy<Product[]> | undefined> {
  const copy = await offlineStore.products()
  return copy && { ...copy, value: copy.value.filter((product) => product.recommended) }
}

function Recommended() {
  const { t } = useTranslation()
  const { recommended$, refresh } = useStreams()
  const recommended = useLiveOrOffline(useLoadable(recommended$), readRecommended)
  return (
    <Loaded of={recommended} failed={t('products.failed')} retry={refresh} skeleton={<RecommendedSkeleton />}>
      {(products) => (
        <ProductList products={products} caption="volume" label={t('home.recommended')} inset="card" />
      )}
    </Loaded>
  )
}
