import { useId, type HTMLAttributes, type Ref } from 'react'
import { cx } from '../../src/ui/cx.ts'
import type { Option } from './action.ts'
import styles from './DigitList.module.css'

type DigitListProps = Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'className' | 'role'> & {
  options: readonly Option[]
  /** The values that are chosen. */
  chosen: readonly string[]
  /** An option is chosen, or taken back. */
  onValue: (value: string) => void
  /** How many may be chosen; without it one, which cannot be taken back. */
  max?: number
  ref?: Ref<HTMLDivElement>
  /** Gets the first option. */
  first?: Ref<HTMLInputElement> | undefined
}

/** Options of which one or some are chosen, each with its digit. One stop of Tab: arrows and digits lead to the others. */
export function DigitList({ options, chosen, onValue, max, first, ...group }: DigitListProps) {
  const name = useId()
  const stop = Math.max(
    0,
    options.findIndex(({ value }) => chosen.includes(value)),
  )
  return (
    <div {...group} role={max === undefined ? 'radiogroup' : 'group'} className={styles.list}>
      {options.map(({ value, label }, at) => {
        const isChosen = chosen.includes(value)
        const isOver = max !== undefined && !isChosen && chosen.length >= max
        return (
          <label key={value} className={cx(styles.option, isOver && styles.over)}>
            <input
              ref={at === 0 ? first : undefined}
              {...(max === undefined
                ? { type: 'radio', name }
                : { type: 'checkbox', tabIndex: at === stop ? 0 : -1 })}
              // Not `disabled`: the arrows still lead past it.
              aria-disabled={isOver || undefined}
              checked={isChosen}
              onChange={() => onValue(value)}
            />
            <kbd>{at + 1}</kbd>
            <span>{label}</span>
          </label>
        )
      })}
    </div>
  )
}
