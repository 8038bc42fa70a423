import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../api/failureText.ts'
import { useFormat } from '../hooks/useFormat.ts'
import type { Failure, Loadable } from '../../streams/index.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

export type LoadedProps<T> = {
  of: Loadable<T>
  /** The title if it could not be loaded; the reason and a retry follow. */
  failed: string
  retry: () => void
  /** The retry is in flight. */
  busy?: boolean
  /** Whether the failure has a card of its own. */
  card?: boolean
  /** Shown until it is loaded. */
  skeleton: ReactNode
  /** Shown instead of a value without items. */
  empty?: ReactNode
  /** Shows the value; left out where the page has another layout for it. */
  children?: (value: T) => ReactNode
}

export type LoadFailedProps = Pick<LoadedProps<unknown>, 'failed' | 'retry' | 'busy'> & { failure: Failure }

/** That something could not be loaded, and why, with a retry. */
export function LoadFailed({ failed, failure, retry, busy = false }: LoadFailedProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ErrorState title={failed} retryLabel={t('common.retry')} onRetry={retry} busy={busy}>
      {failureText(t, format, failure)}
    </ErrorState>
  )
}

/** What is loaded, in each of its states: loading, failed, empty, ready. A value that could not be renewed stays. */
export function Loaded<T>(props: LoadedProps<T>): ReactNode {
  const { of: loadable, card = false, skeleton, empty, children, ...rest } = props
  if (loadable.state === 'loading') return skeleton
  const value = loadable.value
  const isEmpty = empty !== undefined && Array.isArray(value) && value.length === 0
  // A kept list without items may have some by now.
  if (loadable.state === 'failed' && (value === undefined || isEmpty)) {
    const failure = <LoadFailed {...rest} failure={loadable.failure} />
    return card ? <Card>{failure}</Card> : failure
  }
  return isEmpty ? empty : children?.(value as T)
}
