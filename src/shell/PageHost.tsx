import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { assertNever } from '../../contract/brand.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { LazyPage } from './lazyPage.ts'
import { reportFailure } from './reportFailure.ts'
import type { ResourceFailure } from './resource.ts'
import { usePage } from './usePage.ts'
import styles from './PageHost.module.css'

export type PageHostProps = {
  /** The page's address: another one starts over. */
  name: string
  page: LazyPage
  /** What lies behind the page, and shows while it is on its way. */
  ground: 'market' | 'money'
}

/** Shows a page that is fetched on demand: nothing, loading, the page, or why not with a way on. */
export function PageHost({ name, page, ground }: PageHostProps) {
  const { t } = useTranslation()
  const [pageState, retry] = usePage(page)
  const ready = pageState.state === 'ready'
  useFocusOnChange(page, ready)
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

/** A page that would not load: shown to the member, and told to the venue. */
function LoadFailure({ name, ...shown }: { name: string; failure: ResourceFailure; retry: () => void }) {
  const { failure } = shown
  useEffect(() => reportFailure(failure, name), [failure, name])
  return <PageFailure {...shown} />
}

function PageFailure({ failure, retry }: { failure: ResourceFailure; retry: () => void }) {
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
      >
        {isOffline ? t('error.OFFLINE') : t(`page.${failure}.text`)}
      </ErrorState>
    </main>
  )
}

/** After a change of page the focus goes to its title, so that a screen reader says where one is. */
function useFocusOnChange(page: LazyPage, ready: boolean): void {
  const firstPage = useRef(page)
  useEffect(() => {
    if (!ready || firstPage.current === page) return
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [page, ready])
}
