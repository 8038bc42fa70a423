import { useLayoutEffect, useRef, useState } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../api/failureText.ts'
import type { Result } from '../../../api/result.ts'
import type { Format } from '../../../text/format.ts'
import { useFormat } from '../../../hooks/useFormat.ts'
import type { CompleteProof } from '../../../proof/completeProof.ts'
import { canUnzip, fetchPrices } from '../../../proof/fetchPrices.ts'
import { replayOf } from '../../../../contract/replayFingerprint.ts'
import type { PricesCheck } from '../../../proof/prices.ts'
import { Button, Icon } from '../../../ui/index.ts'
import { timeWithMs } from '../../../features/proof/lines.ts'
import styles from './RecordingCheck.module.css'

/**
 * A step of the proof for replayed products, on request: computes each tick from the public recording and compares. It
 * loads a file of up to 3 MB.
 */
export function RecordingCheck({ proof }: { proof: CompleteProof }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [received, setReceived] = useState<number | null>(null)
  const [answer, setAnswer] = useState<Result<PricesCheck> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const output = useRef<HTMLOutputElement>(null)
  const wasFocused = useRef(false)
  // A final answer removes the button, so the focus moves to the answer for keyboard users.
  useLayoutEffect(() => {
    if (wasFocused.current && button.current === null) output.current?.focus()
    wasFocused.current = false
  })
  if (replayOf(proof.order.terms.source) === undefined) return null
  const start = async () => {
    setReceived(0)
    const result = await fetchPrices(proof, setReceived)
    wasFocused.current = document.activeElement === button.current
    setAnswer(result)
    setReceived(null)
  }
  const wrong = answer !== null && (!answer.ok || !answer.value.ok)
  return (
    <div className={styles.prices}>
      {answer !== null && (
        <output ref={output} tabIndex={-1} className={styles.answer} data-wrong={wrong || undefined}>
          <Icon name={wrong ? 'warning-circle-fill' : 'check-circle-fill'} size={20} />
          {answerText(answer, t, format)}
        </output>
      )}
      {(answer === null || !answer.ok) && (
        <Button
          ref={button}
          variant="secondary"
          block
          busy={received !== null}
          disabled={!canUnzip()}
          onClick={() => void start()}
          reason={t(canUnzip() ? 'proof.pricesHint' : 'proof.pricesOld')}
        >
          {received === null
            ? t('proof.prices')
            : t('proof.pricesLoading', { kb: format.decimal(String(Math.round(received / 1024))) })}
        </Button>
      )}
    </div>
  )
}

function answerText(answer: Result<PricesCheck>, t: TFunction, format: Format): string {
  if (!answer.ok) {
    const isGone = answer.failure.kind === 'rejected' && answer.failure.code === 'NOT_FOUND'
    return isGone ? t('proof.pricesGone') : failureText(t, format, answer.failure)
  }
  const check = answer.value
  if (check.ok) return t('proof.pricesOk', { ticks: format.decimal(String(check.count)) })
  if (check.why === 'file') return t('proof.pricesFile')
  if (check.why === 'missing') return t('proof.pricesMissing', { time: timeWithMs(format, check.at) })
  return t('proof.pricesTick', { seq: format.decimal(String(check.seq)) })
}
