import { useState } from 'react'
import { dayOf } from '../data/days.ts'
import { useTexts } from '../i18n.ts'
import { Entry } from './Control.tsx'

type DayEntryProps = { label: string; value: string; onValue: (day: string) => void }

/** A day as year-month-day, which no browser writes in another order. A part of one is no day yet. */
export function DayEntry({ label, value, onValue }: DayEntryProps) {
  const t = useTexts()
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? value
  return (
    <Entry
      label={label}
      size={10}
      maxLength={10}
      inputMode="numeric"
      autoComplete="off"
      placeholder={t('day.form')}
      aria-invalid={text !== '' && dayOf(text) === null}
      value={text}
      onBlur={() => setTyped(null)}
      onValue={(next) => {
        setTyped(next)
        const day = next.trim() === '' ? '' : dayOf(next)
        if (day !== null && day !== value) onValue(day)
      }}
    />
  )
}
