import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo, pathWith } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { useReportStaleData } from '../../shell/staleData.ts'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { Button, EmptyState, ErrorState, IconButton, Skeleton } from '../../ui/index.ts'
import { ChartSkeleton } from './chart/ChartStates.tsx'
import { ProofChart } from './chart/ProofChart.tsx'
import { OpenOrder } from './OpenOrder.tsx'
import styles from './OrderPage.module.css'
import { repeatOrder } from '../../features/orders/repeatOrder.ts'
import { downloadProof } from '../../proof/download.ts'
import { OrderLayout } from './OrderLayout.tsx'
import { Proof } from './proof/Proof.tsx'
import { useProof } from './proof/useProof.ts'
import { SettledResult } from './SettledResult.tsx'

/** One order: `#/pages/order/detail?id=`. */
export function OrderPage() {
  const [query] = useQuery()
  const id = query.get('id') ?? ''
  return <OrderById key={id} id={id} />
}

const backTo = pathWith(paths.orders, { tab: 'records' })

function OrderById({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders, refresh } = useStreams()
  const loadable = useLoadable(useMemo(() => orders.order$(id), [orders, id]))
  const { value: order, isReadingOffline } = useLiveOrOffline(
    loadable,
    useCallback(() => offlineStore.order(id), [id]),
  )
  if (order !== undefined && isFinal(order.status)) return <ClosedOrder order={order} />
  const missing =
    loadable.state === 'failed' && loadable.failure.kind === 'rejected' && loadable.failure.status === 404
  return (
    <Page ground="market" title={t('order.title')} backTo={backTo} width="wide" live={order !== undefined}>
      {order !== undefined ? (
        <OpenOrder order={order} />
      ) : missing ? (
        <EmptyState
          title={t('order.missing')}
          action={
            <Button variant="secondary" href={hrefTo(paths.orders)}>
              {t('order.toOrders')}
            </Button>
          }
        >
          {t('order.missingText')}
        </EmptyState>
      ) : loadable.state === 'failed' && !isReadingOffline ? (
        <ErrorState title={t('order.failed')} retryLabel={t('common.retry')} onRetry={refresh}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      ) : (
        <OrderSkeleton />
      )}
    </Page>
  )
}

function ClosedOrder({ order }: { order: Order }) {
  const { t } = useTranslation()
  const [state, retry] = useProof(order.id)
  useReportStaleData(state.step === 'checking' || state.step === 'checked' ? state.cachedAt : undefined)
  const proof = state.step === 'checking' || state.step === 'checked' ? state.proof : undefined
  const download = () => {
    if (state.step === 'checked') downloadProof({ ...state, savedAt: state.at })
  }
  return (
    <Page
      ground="market"
      title={t('order.title')}
      backTo={backTo}
      width="wide"
      actions={
        <IconButton
          icon="download-simple"
          label={t('proof.download')}
          disabled={state.step !== 'checked'}
          onClick={download}
        />
      }
    >
      <OrderLayout
        order={order}
        result={<SettledResult order={order} />}
        chart={proof === undefined ? <ChartSkeleton /> : <ProofChart order={order} proof={proof} />}
      >
        <div className={styles.again}>
          <Button variant="secondary" block onClick={() => repeatOrder(order)}>
            {t('order.againTerms')}
          </Button>
        </div>
        <Proof order={order} state={state} onRetry={retry} onDownload={download} />
      </OrderLayout>
    </Page>
  )
}

function OrderSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.columns} aria-label={t('common.loading')}>
      <span className={styles.waiting}>
        <Skeleton height={44} />
        <Skeleton line={36} width={168} />
        <ChartSkeleton />
      </span>
      <span className={styles.waiting}>
        <Skeleton height={150} />
      </span>
    </output>
  )
}
