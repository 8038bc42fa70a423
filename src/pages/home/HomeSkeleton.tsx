import { useTranslation } from 'react-i18next'
import {
  AssetLabel,
  AssetsHead,
  TodayPnlSkeleton,
  TotalSkeleton,
} from '../../features/account/AssetsHead.tsx'
import { DepositWithdrawButtons } from '../../features/account/DepositWithdrawButtons.tsx'
import { FirstFigure } from '../../start/FirstFigure.tsx'
import { PageLayout } from '../../shell/PageLayout.tsx'
import { Card, IconButton, Stat, TitleBar } from '../../ui/index.ts'
import { HomeActions, HomeLayout, HomeTitle, RecommendedSkeleton } from './HomeLayout.tsx'

/** The home page without data, prerendered. */
export function HomeSkeleton() {
  const { t } = useTranslation()
  return (
    <PageLayout ground="money" width="wide" bar="phone">
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
        <HomeLayout
          assets={
            <Card>
              <AssetsHead
                label={<AssetLabel stat="total" />}
                total={
                  <FirstFigure name="total" placeholder={<TotalSkeleton />}>
                    {(text) => <Stat>{text}</Stat>}
                  </FirstFigure>
                }
                actions={<DepositWithdrawButtons />}
              >
                <TodayPnlSkeleton />
              </AssetsHead>
            </Card>
          }
          recommended={<RecommendedSkeleton />}
        />
      </main>
    </PageLayout>
  )
}
