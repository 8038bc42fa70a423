import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { assertNever } from '../../contract/brand.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { LazyPage } from './lazyPage.ts'
import { SaveReport } from '../report/SaveReport.tsx'
import { reportFailure } from '../lazy/reportFailure.ts'
import type { LoadFailure } from '../lazy/reportFailure.ts'
import { usePage } from './usePage.ts'
import styles from './PageHost.module.css'

export type PageHostProps = {
  /** The page's address: a new one resets the error boundary. */
  name: string
  page: LazyPage
  /** The ground behind the page, also shown while it loads. */
  ground: 'market' | 'money'
}

/** Shows a page that is loaded on demand: nothing at first, then a spinner, the page, or the failure with a retry. */
export function PageHost({ name, page, ground }: PageHostProps) {
  const { t } = useTranslation()
  const [pageState, retry] = usePage(page)
  const isReady = pageState.state === 'ready'
  useFocusOnChange(page, isReady)
  switch (pageState.state) {
    case 'waiting':
      return <div className={styles.loading} data-ground={ground} />
    case 'loading':
      return (
        <output className={styles.loading} data-ground={ground}>
          <Spinner />
          {t('common.loading')}
        </output>
      )
    case 'ready':
      return (
        <ErrorBoundary key={name} Fallback={Crashed} onError={() => reportFailure('other', name)}>
          <pageState.Page />
        </ErrorBoundary>
      )
    case 'failed':
      return <LoadFailure name={name} failure={pageState.failure} retry={retry} />
    default:
      return assertNever(pageState)
  }
}

const Crashed = ({ retry }: { retry: () => void }) => <PageFailure failure="other" retry={retry} />

/** A page that failed to load: shown to the member and reported to the venue. */
function LoadFailure({ name, ...failureProps }: { name: string; failure: LoadFailure; retry: () => void }) {
  const { failure } = failureProps
  useEffect(() => reportFailure(failure, name), [failure, name])
  return <PageFailure {...failureProps} />
}

function PageFailure({ failure, retry }: { failure: LoadFailure; retry: () => void }) {
  const { t } = useTranslation()
  const isOutdated = failure === 'missing'
  const isOffline = failure === 'other' && !navigator.onLine
  return (
    <main className={styles.failure}>
      <ErrorState
        icon={isOutdated ? 'arrow-clockwise' : 'cloud-slash'}
        title={t(`page.${failure}.title`)}
        retryLabel={t(isOutdated ? 'page.reload' : 'common.retry')}
        onRetry={isOutdated ? () => location.reload() : retry}
        note={<SaveReport />}
      >
        {isOffline ? t('error.OFFLINE') : t(`page.${failure}.text`)}
      </ErrorState>
    </main>
  )
}

/** After navigation the focus moves to the page's title, so that screen readers announce the page. */
function useFocusOnChange(page: LazyPage, isReady: boolean): void {
  const firstPage = useRef(page)
  useEffect(() => {
    if (!isReady || firstPage.current === page) return
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [page, isReady])
}
