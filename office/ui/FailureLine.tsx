import i18next from 'i18next'
import { failureText } from '../../src/api/failureText.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import type { Failure } from '../../streams/index.ts'
import { useOfficeFormat } from '../data/useOfficeFormat.ts'
import { useTexts, type Texts } from '../i18n.ts'
import styles from './FailureLine.module.css'

/** Why something did not work, announced when it appears. */
export function FailureLine({ failure }: { failure: Failure | undefined }) {
  const text = useFailureText(failure)
  return (
    <div role="alert">
      {text !== undefined && (
        <p className={styles.line}>
          <Icon name="warning-circle-fill" size={16} />
          {text}
        </p>
      )}
    </div>
  )
}

export function useFailureText(failure: Failure | undefined): string | undefined {
  const textOf = useFailureTexts()
  return failure && textOf(failure)
}

/** The office's own words for what only staff meets, else those of the members' pack. */
export function useFailureTexts(): (failure: Failure) => string {
  const t = useTexts()
  const format = useOfficeFormat()
  return (failure) => ownText(t, failure) ?? failureText(i18next.t, format, failure)
}

function ownText(t: Texts, failure: Failure): string | undefined {
  if (failure.kind === 'rejected') {
    if (failure.code === 'CLAIMED') return t('error.claimed', { name: String(failure.params['by']) })
    if (failure.code === 'SECOND_PERSON')
      return t(failure.params['nobodyElse'] === true ? 'error.nobodyElse' : 'error.secondPerson')
    if (failure.code === 'ACCOUNT_FROZEN') return t('request.frozen')
    if (failure.code === 'CONFLICT') return t('error.decided')
    if (failure.code === 'FORBIDDEN') return t('error.forbidden')
    if (failure.code === 'NOT_FOUND') return t('error.notFound')
  }
  return undefined
}
