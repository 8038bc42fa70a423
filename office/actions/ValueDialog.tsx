import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { atTime } from '../../contract/time.ts'
import { Field } from '../../src/ui/Field.tsx'
import { Select } from '../../src/ui/Select.tsx'
import { useTexts } from '../i18n.ts'
import { useSession } from '../state/staff.ts'
import type { Needed } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'

type Value = Exclude<Needed, { kind: 'reason' }>

type ValueDialogProps = Omit<Parameters<typeof DecideDialog>[0], 'children' | 'onConfirm'> & {
  needs: Value
  onConfirm: (text: string) => void
}

/** Asks for one value: a line of text, one of some choices, or an hour by the venue's clock. */
export function ValueDialog({ needs, onConfirm, ...shared }: ValueDialogProps) {
  const t = useTexts()
  const { zone } = useSession()
  const [text, setText] = useState(needs.kind === 'choice' ? (needs.options[0]?.value ?? '') : '')
  const [isMissing, setMissing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const wanted = text.trim()
  const mayBeEmpty = needs.kind === 'hour' || (needs.kind === 'text' && needs.optional === true)
  const send = (): void => {
    if (wanted === '' && !mayBeEmpty) setMissing(true)
    else onConfirm(needs.kind === 'hour' && wanted !== '' ? String(instantOf(wanted, zone)) : wanted)
  }
  return (
    <DecideDialog {...shared} {...(needs.kind === 'choice' ? {} : { focus: input })} onConfirm={send}>
      <Control
        needs={needs}
        input={input}
        value={text}
        onValue={setText}
        error={isMissing && wanted === '' ? t('error.missing') : undefined}
      />
    </DecideDialog>
  )
}

type ControlProps = {
  needs: Value
  input: RefObject<HTMLInputElement | null>
  value: string
  onValue: (text: string) => void
  error: string | undefined
}

function Control({ needs, input, value, onValue, error }: ControlProps) {
  const t = useTexts()
  const shared = { label: t(needs.field), hint: needs.hint && t(needs.hint), error }
  if (needs.kind === 'choice')
    return <Select {...shared} options={needs.options} value={value} onValue={onValue} />
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

/** `2026-11-24T09:30` by the clocks of the zone. */
export function instantOf(local: string, zone: string): number {
  const [day = '', clock = ''] = local.split('T')
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return atTime(day, hour * 60 + minute, zone)
}
