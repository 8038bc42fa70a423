import { useTranslation } from 'react-i18next'
import {
  AssetLabel,
  AssetsHead,
  TodayPnlSkeleton,
  TotalSkeleton,
} from '../../features/account/AssetsHead.tsx'
import { ProductListSkeleton } from '../../features/market/ProductList.tsx'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { FirstFigure } from '../../shell/FirstFigure.tsx'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { PageFrame } from '../../shell/PageFrame.tsx'
import {
  Button,
  Card,
  IconButton,
  Logo,
  Section,
  Stat,
  TextLink,
  TitleBar,
  VisuallyHidden,
} from '../../ui/index.ts'
import { Bell } from './Bell.tsx'
import { QuickLinks } from './QuickLinks.tsx'
import styles from './Home.module.css'

/** The home page in its final sizes, without data: prerendered. */
export function HomeFrame() {
  const { t } = useTranslation()
  return (
    <PageFrame ground="money" width="wide" bar="phone">
      <TitleBar
        root
        title={<HomeTitle />}
        actions={
          <>
            <IconButton icon="arrow-clockwise" label={t('common.refresh')} />
            <HomeActions />
          </>
        }
      />
      <main>
        <div className={styles.grid}>
          <div className={styles.assets}>
            <Card>
              <AssetsHead
                label={<AssetLabel stat="total" />}
                total={
                  <FirstFigure name="total" placeholder={<TotalSkeleton />}>
                    {(text) => <Stat>{text}</Stat>}
                  </FirstFigure>
                }
                actions={<AssetsActions />}
              >
                <TodayPnlSkeleton />
              </AssetsHead>
            </Card>
          </div>
          <div className={styles.shortcuts}>
            <QuickLinks />
          </div>
          <div className={styles.recommended}>
            <Section title={t('home.recommended')} action={<AllProducts />}>
              <Card>
                <RecommendedSkeleton />
              </Card>
            </Section>
          </div>
        </div>
      </main>
    </PageFrame>
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

export function AssetsActions() {
  const { t } = useTranslation()
  return (
    <>
      <Button block href={hrefTo(paths.deposit)}>
        {t('home.deposit')}
      </Button>
      <Button block variant="secondary" href={hrefTo(paths.withdraw)}>
        {t('home.withdraw')}
      </Button>
    </>
  )
}

export function AllProducts() {
  const { t } = useTranslation()
  return (
    <TextLink caret href={hrefTo(paths.products)}>
      {t('common.all')}
    </TextLink>
  )
}

const skeletonRows = 5

export const RecommendedSkeleton = () => <ProductListSkeleton rows={skeletonRows} inset="card" />
