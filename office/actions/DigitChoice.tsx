import { useEffect, useRef, type Ref } from 'react'
import { FieldShell } from '../../src/ui/FieldShell.tsx'
import type { Option } from './action.ts'
import { DigitList } from './DigitList.tsx'

type DigitChoiceProps = {
  label: string
  hint: string | undefined
  error: string | undefined
  options: readonly Option[]
  /** Gets the first option. */
  first: Ref<HTMLInputElement>
  value: string
  onValue: (value: string) => void
}

/**
 * One of some values, chosen by its digit wherever the focus is but in a text. It then has the focus, so that Enter sends
 * what was chosen, and nothing before.
 */
export function DigitChoice({ label, hint, error, options, first, value, onValue }: DigitChoiceProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target)) return
      const at = Number(event.key) - 1
      const option = options[at]
      if (option === undefined) return
      onValue(option.value)
      list.current?.querySelectorAll('input')[at]?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
  return (
    <FieldShell label={label} hint={hint} error={error}>
      {(aria) => (
        <DigitList
          {...aria}
          ref={list}
          aria-label={label}
          options={options}
          first={first}
          chosen={[value]}
          onValue={onValue}
        />
      )}
    </FieldShell>
  )
}

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')
