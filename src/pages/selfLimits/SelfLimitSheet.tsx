import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { looseningDelayMs, type AmountLimitField, type SelfLimits } from '../../../contract/selfLimits.ts'
import { amountText } from '../../../contract/amount.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { AmountLine, Segments, Sheet } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import { useAmount } from '../../features/forms/useAmount.ts'
import { effectOf, pendingOf, type SelfLimitValue, type SaveSelfLimit } from './selfLimits.ts'
import styles from './SelfLimits.module.css'

export type SelfLimitSheetProps = {
  field: AmountLimitField
  open: boolean
  limits: SelfLimits
  save: SaveSelfLimit
  onClose: () => void
}

const modes = ['limited', 'noLimit'] as const

/** Edits one limit. Before saving it shows whether the change takes effect at once or after a day. */
export function SelfLimitSheet({ field, open, limits, save, onClose }: SelfLimitSheetProps) {
  const { t } = useTranslation()
  const currency = useVenueConfig()?.currency
  const form = useId()
  const { mode, setMode, amount, value, isSubmitted, problem, busy, submit } = useLimitForm(
    limits.active[field],
    async (newValue) => {
      const errorText = await save(field, newValue)
      if (errorText === undefined) onClose()
      return errorText
    },
  )
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t(`limits.${field}`)}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <>
          <Problem text={problem} />
          <SubmitButton form={form} busy={busy}>
            {t('limits.save')}
          </SubmitButton>
        </>
      }
    >
      <form id={form} className={styles.sheet} noValidate onSubmit={submit}>
        <p className={styles.help}>{t(`limits.${field}Hint`)}</p>
        <Segments
          block
          label={t('limits.mode')}
          items={modes.map((name) => ({ value: name, label: t(`limits.${name}`) }))}
          value={mode}
          onChange={setMode}
        />
        {mode === 'limited' && (
          <AmountLine
            {...amount.bind}
            label={t('limits.amount')}
            labelEnd={<PracticeBadge />}
            unit={currency}
            error={amount.unclear ?? (isSubmitted && value === undefined ? t('limits.enter') : undefined)}
          />
        )}
        <EffectLine limits={limits} field={field} value={value} />
      </form>
    </Sheet>
  )
}

/**
 * The state of the form. `value` is undefined while the amount is missing or invalid.
 * @param save resolves with the error's text, or undefined on success
 */
function useLimitForm(active: string | null, save: (value: SelfLimitValue) => Promise<string | undefined>) {
  const [mode, setMode] = useState<(typeof modes)[number]>('limited')
  const { decimalMark } = useFormat()
  const amount = useAmount(undefined, active === null ? '' : amountText(moneyOf(active), decimalMark))
  const [isSubmitted, setSubmitted] = useState(false)
  const limited = amount.value !== undefined && amount.value > 0 ? formatMoney(amount.value) : undefined
  const value: SelfLimitValue | undefined = mode === 'noLimit' ? null : limited
  const [send, busy, problem] = useSubmit(save)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setSubmitted(true)
    if (value === undefined || (mode === 'limited' && !amount.commitAmount())) return
    send(value)
  }
  return { mode, setMode, amount, value, isSubmitted, problem, busy, submit }
}

type EffectLineProps = { limits: SelfLimits; field: AmountLimitField; value: SelfLimitValue | undefined }

function EffectLine({ limits, field, value }: EffectLineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clock } = useStreams()
  const effect = value === undefined ? undefined : effectOf(limits, field, value)
  const active = limits.active[field]
  const at = pendingOf(limits, field)?.effectiveAt
  const textParams = {
    date: format.dateTimeShort(
      effect === 'waiting' && at !== undefined ? at : clock.now() + looseningDelayMs,
    ),
    value: active === null ? t('limits.none') : format.money(active),
  }
  return (
    <p className={styles.effect} aria-live="polite">
      {effect === 'looser' || effect === 'waiting'
        ? t('limits.looser', textParams)
        : effect !== undefined && t(`limits.${effect}`)}
    </p>
  )
}
