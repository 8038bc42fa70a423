import { useTranslation } from 'react-i18next'
import type { Failure } from '../../streams/index.ts'
import { failureText } from '../api/failureText.ts'
import { useAction } from './useAction.ts'
import { useFormat } from './useFormat.ts'

/** Why nothing was done: the venue's failure, or a text. Nothing if it was done, or if a field shows why it was not. */
export type SubmitProblem = Failure | string | undefined | void

/**
 * What a form sends, one request at a time. `problem` is why the last one failed, and empty again as soon as the next one
 * begins.
 */
export function useSubmit<Args extends unknown[]>(
  work: (...args: Args) => Promise<SubmitProblem>,
): [
  send: (...args: Args) => void,
  busy: boolean,
  problem: string | undefined,
  setProblem: (problem: string | undefined) => void,
] {
  const { t } = useTranslation()
  const format = useFormat()
  const [send, busy, failed, setFailed] = useAction<Args, Failure | string>(work)
  return [send, busy, typeof failed === 'object' ? failureText(t, format, failed) : failed, setFailed]
}
