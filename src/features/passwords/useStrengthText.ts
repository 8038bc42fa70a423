import { useDeferredValue, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { createLazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'

const estimator = createLazy(() => import('./estimate.ts'))
const shownMin = 10
const shownMax = 10_000_000_000
/** From this score on there is nothing to advise. */
const safeScore = 3

/**
 * How hard the password is to guess, and what to do about it, in words; undefined without a password and until the
 * estimator is loaded. It is loaded with the first character.
 */
export function useStrengthText(password: string, own: readonly string[]): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const module = useLazyValue(estimator)
  // An estimate takes some milliseconds: typing goes first.
  const typed = useDeferredValue(password)
  const isEmpty = typed === ''
  useEffect(() => {
    if (!isEmpty) void estimator.get()
  }, [isEmpty])
  if (!module || isEmpty) return undefined
  const { score, guesses, advice } = module.estimate(
    typed,
    own.filter((word) => word !== ''),
  )
  const first = t(`strength.${`level${score}` as const}`, { guesses: format.decimal(String(round(guesses))) })
  if (score >= safeScore) return first
  const whatToDo = t('strength.add')
  return t('common.sentences', {
    first,
    second:
      advice === undefined
        ? whatToDo
        : t('common.sentences', { first: t(`strength.${advice}`), second: whatToDo }),
  })
}

/** One significant digit, within what can be read. */
function round(guesses: number): number {
  const shown = Math.min(Math.max(guesses, shownMin), shownMax)
  const power = 10 ** Math.floor(Math.log10(shown))
  return Math.floor(shown / power) * power
}
