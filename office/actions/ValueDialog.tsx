import i18next from 'i18next'
import { useRef, useState, type RefObject } from 'react'
import { atTime } from '../../contract/time.ts'
import { fieldTexts } from '../../src/api/failureText.ts'
import { Field } from '../../src/ui/Field.tsx'
import { Select } from '../../src/ui/Select.tsx'
import { useOfficeFormat } from '../data/useOfficeFormat.ts'
import { venueNow } from '../data/venueClock.ts'
import { useTexts } from '../i18n.ts'
import type { useKeptText } from '../state/drafts.ts'
import { useSession } from '../state/staff.ts'
import type { Action, Needed } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { DigitChoice } from './DigitChoice.tsx'

type Value = Exclude<Needed, { kind: 'reason' }>

type ValueDialogProps = Omit<Parameters<typeof DecideDialog>[0], 'children' | 'onConfirm'> & {
  needs: Value
  effect: Action['effect']
  /** The text that was written, and its setter. */
  kept: ReturnType<typeof useKeptText>
  onConfirm: (text: string) => void
}

/** Asks for one value: a line of text, one of some choices, or an hour by the venue's clock. */
export function ValueDialog({ needs, effect, kept, onConfirm, ...shared }: ValueDialogProps) {
  const t = useTexts()
  const { zone } = useSession()
  const own = useState(
    needs.kind === 'choice' && needs.isOpen !== true ? (needs.options[0]?.value ?? '') : '',
  )
  const [text, setText] = needs.kind === 'text' ? kept : own
  const [isMissing, setMissing] = useState(false)
  const [isPast, setPast] = useState(false)
  const format = useOfficeFormat()
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const wanted = text.trim()
  const mayBeEmpty = needs.kind === 'hour' || (needs.kind === 'text' && needs.optional === true)
  const isGiven = needs.kind === 'choice' && needs.isOpen !== true
  const send = (): void => {
    if (wanted === '' && !mayBeEmpty) return setMissing(true)
    if (needs.kind !== 'hour' || wanted === '') return onConfirm(wanted)
    const at = instantOf(wanted, zone)
    if (at > venueNow()) onConfirm(String(at))
    else setPast(true)
  }
  // The venue's error about the value is shown at its field, not below the dialog.
  const { failure } = shared
  const meant = effect?.(wanted)
  const [refused] = failure === undefined ? [] : Object.values(fieldTexts(i18next.t, format, failure))
  const wrong = isPast ? t('error.past') : refused
  return (
    // Where nothing must be typed or chosen, the first Enter would do the harm.
    <DecideDialog
      {...shared}
      failure={refused === undefined ? failure : undefined}
      {...(isGiven || (shared.harm === true && (mayBeEmpty || needs.kind === 'choice'))
        ? {}
        : { focus: input })}
      {...(meant?.danger && { danger: meant.danger })}
      onConfirm={send}
    >
      <Control
        needs={needs}
        input={input}
        value={text}
        onValue={(next) => {
          setText(next)
          setPast(false)
        }}
        error={isMissing && wanted === '' ? t('error.missing') : wrong}
      />
      {meant?.summary}
    </DecideDialog>
  )
}

type ControlProps = {
  needs: Value
  input: RefObject<(HTMLInputElement & HTMLSelectElement) | null>
  value: string
  onValue: (text: string) => void
  error: string | undefined
}

function Control({ needs, input, value, onValue, error }: ControlProps) {
  const t = useTexts()
  const { zone } = useSession()
  const hints = [needs.hint && t(needs.hint), needs.kind === 'hour' && t('site.zone', { zone })]
  const hint = hints.filter(Boolean).join(' ') || undefined
  const shared = {
    label: t(needs.field),
    hint,
    // What is wrong takes the place of the hint, which still holds.
    error:
      error === undefined || hint === undefined
        ? error
        : t('error.andHint', { error: withoutStop(error), hint }),
  }
  if (needs.kind === 'choice') {
    const choice = { ...shared, options: needs.options, value, onValue }
    return needs.isOpen === true ? <DigitChoice {...choice} first={input} /> : <Select {...choice} />
  }
  const own =
    needs.kind === 'hour'
      ? { type: 'datetime-local' }
      : { maxLength: needs.maxLength, ...(needs.digits === true ? { inputMode: 'numeric' as const } : {}) }
  return (
    <Field
      {...shared}
      {...own}
      ref={input}
      autoComplete="off"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  )
}

const withoutStop = (text: string): string => text.replace(/[.。]$/, '')

/** `2026-11-24T09:30` by the clocks of the zone. */
export function instantOf(local: string, zone: string): number {
  const [day = '', clock = ''] = local.split('T')
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return atTime(day, hour * 60 + minute, zone)
}
