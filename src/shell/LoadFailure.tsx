import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { reportFailure } from '../lazy/reportFailure.ts'
import type { LoadFailure as Failure } from '../lazy/reportFailure.ts'
import { SaveReport } from '../report/SaveReport.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

/** A page or a part of one that failed to load: shown to the member and reported to the venue under `name`. */
export function LoadFailure({ name, failure, retry }: { name: string; failure: Failure; retry: () => void }) {
  useEffect(() => reportFailure(failure, name), [failure, name])
  return <FailureState failure={failure} retry={retry} />
}

/** Why it is not shown, with a retry. */
export function FailureState({ failure, retry }: { failure: Failure; retry: () => void }) {
  const { t } = useTranslation()
  const isOutdated = failure === 'missing'
  const isOffline = failure === 'other' && !navigator.onLine
  return (
    <ErrorState
      icon={isOutdated ? 'arrow-clockwise' : 'cloud-slash'}
      title={t(`page.${failure}.title`)}
      retryLabel={t(isOutdated ? 'page.reload' : 'common.retry')}
      onRetry={isOutdated ? () => location.reload() : retry}
      note={<SaveReport />}
    >
      {isOffline ? t('error.OFFLINE') : t(`page.${failure}.text`)}
    </ErrorState>
  )
}
