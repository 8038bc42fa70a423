import { useEffect, useRef, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { assertNever } from '../../contract/units.ts'
import { focusHeading } from '../lib/focusHeading.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { LoadFailureState, ReportedLoadFailure } from './LoadFailure.tsx'
import type { LazyPage } from './lazyPage.ts'
import { reportFailure } from '../start/reportFailure.ts'
import { usePage } from './usePage.ts'
import styles from './PageHost.module.css'

export type PageHostProps = {
  /** The page's address: a new one resets the error boundary. */
  name: string
  page: LazyPage
  /** The ground behind the page, also shown while it loads. */
  ground: 'market' | 'money'
  /** Shown while it loads; left out, nothing at first and then a spinner. */
  PageSkeleton?: ComponentType | undefined
}

/** Shows a page that is loaded on demand: its skeleton, or nothing at first and then a spinner; the page, or the failure with a retry. */
export function PageHost({ name, page, ground, PageSkeleton }: PageHostProps) {
  const { t } = useTranslation()
  const [pageState, retry] = usePage(page)
  const isReady = pageState.state === 'ready'
  useFocusOnChange(page, isReady)
  switch (pageState.state) {
    case 'waiting':
      return PageSkeleton ? <PageSkeleton /> : <div className={styles.loading} data-ground={ground} />
    case 'loading':
      return PageSkeleton ? (
        <PageSkeleton />
      ) : (
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
      return (
        <main className={styles.failure}>
          <ReportedLoadFailure name={name} failure={pageState.failure} retry={retry} />
        </main>
      )
    default:
      return assertNever(pageState)
  }
}

const Crashed = ({ retry }: { retry: () => void }) => (
  <main className={styles.failure}>
    <LoadFailureState failure="other" retry={retry} />
  </main>
)

/** After navigation the focus moves to the page's title, so that screen readers announce the page. */
function useFocusOnChange(page: LazyPage, isReady: boolean): void {
  const firstPage = useRef(page)
  useEffect(() => {
    if (!isReady || firstPage.current === page) return
    focusHeading()
  }, [page, isReady])
}
