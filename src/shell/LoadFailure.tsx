import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadFailureText } from '../start/loadFailureText.ts'
import { reportFailure, type LoadFailure } from '../start/reportFailure.ts'
import { SaveReport } from '../report/SaveReport.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

export type LoadFailureStateProps = {
  failure: LoadFailure
  retry: () => void
  /** What could not be loaded; left out for a whole page. */
  title?: ReactNode
}

/** Why a part of the app is not shown, with a retry. */
export function LoadFailureState({ failure, retry, title }: LoadFailureStateProps) {
  const { t } = useTranslation()
  const isOutdated = failure === 'missing'
  return (
    <ErrorState
      icon={isOutdated ? 'arrow-clockwise' : 'cloud-slash'}
      title={title ?? t(`page.${failure}.title`)}
      retryLabel={t(isOutdated ? 'page.reload' : 'common.retry')}
      onRetry={isOutdated ? () => location.reload() : retry}
      note={<SaveReport />}
    >
      {loadFailureText(t, failure)}
    </ErrorState>
  )
}

/** The same, also reported to the venue under `name`. */
export function ReportedLoadFailure({ name, ...props }: LoadFailureStateProps & { name: string }) {
  const { failure } = props
  useEffect(() => reportFailure(failure, name), [failure, name])
  return <LoadFailureState {...props} />
}
