import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo, pathWith } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { useReportStaleData } from '../../shell/staleData.ts'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { Button, EmptyState, Skeleton } from '../../ui/index.ts'
import { ChartSkeleton } from './chart/ChartStates.tsx'
import { ProofChart } from './chart/ProofChart.tsx'
import { OpenOrder } from './OpenOrder.tsx'
import styles from './OrderPage.module.css'
import { repeatOrder } from '../../features/orders/repeatOrder.ts'
import { OrderLayout } from './OrderLayout.tsx'
import { Proof } from './proof/Proof.tsx'
import { useProof } from './proof/useProof.ts'
import { SettledResult } from './SettledResult.tsx'
import { DeniedOrder } from './SignedNotice.tsx'
import { Loaded } from '../../shell/Loaded.tsx'
import { saveFile } from '../../lib/saveFile.ts'
import { proofFile } from '../../proof/proofFile.ts'

/** One order: `#/pages/order/detail?id=`. */
export function OrderPage() {
  const [query] = useQuery()
  const id = query.get('id') ?? ''
  return <OrderById key={id} id={id} />
}

const backTo = pathWith(paths.orders, { tab: 'records' })

function OrderById({ id }: { id: string }) {
  const { t } = useTranslation()
  const { orders, refresh } = useStreams()
  const live = useLoadable(useMemo(() => orders.order$(id), [orders, id]))
  const loadable = useLiveOrOffline(
    live,
    useCallback(() => offlineStore.order(id), [id]),
  )
  const order = valueOf(loadable)
  if (order !== undefined && isFinal(order.status)) return <ClosedOrder order={order} />
  const missing = live.state === 'failed' && live.failure.kind === 'rejected' && live.failure.status === 404
  return (
    <Page
      ground="market"
      title={t('order.title')}
      backTo={backTo}
      width="wide"
      receives={order !== undefined ? 'prices' : undefined}
    >
      {missing && order === undefined ? (
        <DeniedOrder id={id}>
          <MissingOrder />
        </DeniedOrder>
      ) : (
        <Loaded of={loadable} failed={t('order.failed')} retry={refresh} skeleton={<OrderSkeleton />}>
          {(value) => <OpenOrder order={value} />}
        </Loaded>
      )}
    </Page>
  )
}

function MissingOrder() {
  const { t } = useTranslation()
  return (
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
  )
}

function ClosedOrder({ order }: { order: Order }) {
  const { t } = useTranslation()
  const [state, retry] = useProof(order.id)
  useReportStaleData(state.step === 'checking' || state.step === 'checked' ? state.cachedAt : undefined)
  const proof = state.step === 'checking' || state.step === 'checked' ? state.proof : undefined
  /** Saves the proof with the evidence on this device. */
  const download = () => {
    if (state.step !== 'checked') return
    const text = JSON.stringify(proofFile({ ...state, savedAt: state.at }), null, 1)
    saveFile(new Blob([text], { type: 'application/json' }), `proof-${state.proof.order.no}.json`)
  }
  return (
    <Page ground="market" title={t('order.title')} backTo={backTo} width="wide">
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
