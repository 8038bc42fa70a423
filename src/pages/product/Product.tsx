import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { afterPaint } from '../../start/afterPaint.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { productListMedia, useMedia } from '../../hooks/useMedia.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { lazyStreams } from '../../start/lazyStreams.ts'
import { loadAheadOf } from '../../start/ahead.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { focusHeading } from '../../lib/focusHeading.ts'
import { navigate } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { ConnectionNote } from '../../shell/ConnectionStatus.tsx'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, ErrorState } from '../../ui/index.ts'
import { session } from '../../state/session.ts'
import { loadProduct } from './loadProduct.ts'
import { ProductSkeleton } from './ProductSkeleton.tsx'
import styles from './Product.module.css'
import { ProductColumn } from './switcher/ProductColumn.tsx'
import { useProductKeys } from './switcher/useProductKeys.ts'
import { Trading } from './Trading.tsx'

loadAheadOf(paths.product, async (query, at) => {
  const id = query.get('id')
  const streams = lazyStreams.value
  if (id === null || streams === undefined) return
  const isMember = session.token !== null
  await Promise.all([
    at === 'tap' ? loadProduct(streams, id) : firstLoaded(streams.product$(id)),
    // They decide how the page is laid out.
    isMember && firstLoaded(streams.orders.open$),
  ])
})

/** Product detail: `#/pages/Detail/Detail?id=`. */
export function Product() {
  const [query] = useQuery()
  const id = query.get('id') ?? ''
  // While the member leaves, this page can render once more with the next page's address, which has no id.
  return id === '' ? <MissingProduct /> : <ProductPage id={id} />
}

/** The list beside it stays when the product changes. */
function ProductPage({ id }: { id: string }) {
  const page = useRef<HTMLDivElement>(null)
  const hasList = useMedia(productListMedia)
  useProductKeys(page, id, hasList)
  useFocusOnSwitch(id)
  return (
    <div ref={page} className={styles.frame}>
      {hasList && <ProductColumn current={id} />}
      <ProductById key={id} id={id} />
    </div>
  )
}

/** Another product's heading takes the focus, so that screen readers announce it and keys are the page's. */
function useFocusOnSwitch(id: string): void {
  const shown = useRef(id)
  useEffect(() => {
    if (shown.current === id) return
    shown.current = id
    focusHeading()
  }, [id])
}

function ProductById({ id }: { id: string }) {
  const { t } = useTranslation()
  const streams = useStreams()
  const product$ = useMemo(() => streams.product$(id), [streams, id])
  const loadable = useLoadable(product$)
  const product = valueOf(loadable)
  // After a tap on its link it is on its way, and this finds it; otherwise the page is painted before the chart is loaded.
  useEffect(() => {
    let hasLeft = false
    const load = async (): Promise<void> => {
      await afterPaint()
      if (!hasLeft) await loadProduct(streams, id, product$)
    }
    void load()
    return () => {
      hasLeft = true
    }
  }, [streams, id, product$])
  if (product !== undefined) return <Trading product={product} />
  if (loadable.state !== 'failed') return <ProductSkeleton status={ConnectionNote} />
  const isOffline = loadable.failure.kind === 'offline'
  const missing = loadable.failure.kind === 'rejected' && loadable.failure.status === 404
  if (missing) return <MissingProduct />
  return (
    <Page receives="prices" ground="market" title={t('title.product')} backTo={paths.products}>
      <ErrorState
        title={t('product.failed')}
        retryLabel={t('common.retry')}
        onRetry={() => streams.refresh()}
      >
        {isOffline ? t('error.OFFLINE') : t('product.failedText')}
      </ErrorState>
    </Page>
  )
}

function MissingProduct() {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={t('title.product')} backTo={paths.products}>
      <EmptyState
        icon="chart-line-up"
        title={t('product.missing')}
        action={
          <Button variant="secondary" onClick={() => navigate(paths.products)}>
            {t('product.seeProducts')}
          </Button>
        }
      >
        {t('product.missingText')}
      </EmptyState>
    </Page>
  )
}
