import { useTranslation } from 'react-i18next'
import { statusDays, statusRoutes, type StatusReport } from '../../../contract/status.ts'
import { isUnreachable } from '../../api/result.ts'
import { TimeZoneNote } from '../../features/lists/TimeZoneNote.tsx'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMarketClosedText } from '../../hooks/useMarketClosedText.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { useReportStaleData } from '../../shell/staleData.ts'
import { EmptyState, Icon, Skeleton, TextLink } from '../../ui/index.ts'
import { ChecksStatus } from './ChecksStatus.tsx'
import { FrozenAccounts } from './FrozenAccounts.tsx'
import { Heads } from './Heads.tsx'
import { LogStatus } from './LogStatus.tsx'
import { ProductStatus } from './ProductStatus.tsx'
import styles from './Status.module.css'
import { Loaded } from '../../shell/Loaded.tsx'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'

/** No event carries what the venue publishes about itself, so it is as of its `at`. */
const source: ResourceSource<StatusReport> = {
  fetch: (call, signal) => call(statusRoutes.status, {}, { signal }),
}

/**
 * The public information about prices and results: each product's state, source, gaps and outcomes, the public log, and
 * own checks.
 */
export function Status() {
  const { t } = useTranslation()
  const { loadable, reload } = useResource(source)
  const failure = loadable.state === 'failed' ? loadable.failure : undefined
  useReportStaleData(isUnreachable(failure) ? valueOf(loadable)?.at : undefined)
  return (
    <Page ground="market" title={t('title.status')} backTo={paths.about} width="wide" refresh="bar">
      <Loaded of={loadable} failed={t('status.failed')} retry={reload} skeleton={<StatusSkeleton />}>
        {(report) => <Report report={report} />}
      </Loaded>
    </Page>
  )
}

function Report({ report }: { report: StatusReport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { products, log, checks, frozen, from, at } = report
  if (products.length === 0) return <EmptyState title={t('status.none')}>{t('products.noneText')}</EmptyState>
  return (
    <div className={styles.page}>
      <Overview report={report} />
      <p className={styles.lead}>
        {t('status.lead', { days: String(statusDays), from: format.date(from), at: format.dateTime(at) })}
        <br />
        <TimeZoneNote />
      </p>
      <ul className={styles.products}>
        {products.map((product) => (
          <li key={product.id} className={styles.product}>
            <ProductStatus product={product} at={at} />
          </li>
        ))}
      </ul>
      <LogStatus log={log} />
      <ChecksStatus checks={checks} />
      <FrozenAccounts counts={frozen} />
      <Heads products={products} />
      <p className={styles.lead}>
        <TextLink caret href={hrefTo(paths.check)}>
          {t('title.check')}
        </TextLink>
      </p>
    </div>
  )
}

/** One line: whether orders are taken at all, and how many products take none. */
function Overview({ report: { site, products } }: { report: StatusReport }) {
  const { t } = useTranslation()
  const maintenance = useMarketClosedText('maintenance', site.opensAt)
  const stopped = products.filter(({ state }) => state === 'paused' || state === 'maintenance').length
  const isUp = site.status === 'up' && stopped === 0
  const text =
    site.status === 'maintenance'
      ? maintenance
      : stopped === 0
        ? t('status.allRun')
        : t('status.someStopped', { count: stopped, total: products.length })
  return (
    <p className={styles.overview} data-stopped={!isUp || undefined}>
      <Icon name={isUp ? 'check-circle-fill' : 'warning-circle-fill'} size={20} />
      {text}
    </p>
  )
}

const skeletonProducts = 4

function StatusSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.page} aria-label={t('content.loading')}>
      <span className={styles.overview}>
        <Skeleton line={17} width={220} />
      </span>
      <span className={styles.leadLoading}>
        <Skeleton line={13} width="80%" />
      </span>
      <span className={styles.products}>
        {Array.from({ length: skeletonProducts }, (_, i) => (
          <span key={i} className={styles.product}>
            <span className={styles.loading}>
              <Skeleton line={17} width="50%" />
              <Skeleton line={15} width="90%" />
              <Skeleton line={15} width="80%" />
              <Skeleton line={15} width="60%" />
            </span>
          </span>
        ))}
      </span>
    </output>
  )
}
