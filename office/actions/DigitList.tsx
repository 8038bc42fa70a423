import { useId, type HTMLAttributes, type Ref } from 'react'
import type { Option } from './action.ts'
import styles from './DigitList.module.css'

type DigitListProps = Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'className' | 'role'> & {
  options: readonly Option[]
  /** The chosen one; of no option if none is. */
  value: string | null
  onValue: (value: string) => void
  ref?: Ref<HTMLDivElement>
  /** Gets the first option. */
  first?: Ref<HTMLInputElement> | undefined
}

/** Options of which one is chosen, each with its digit. */
export function DigitList({ options, value: chosen, onValue, first, ...group }: DigitListProps) {
  const name = useId()
  return (
    <div {...group} role="radiogroup" className={styles.list}>
      {options.map(({ value, label }, at) => (
        <label key={value} className={styles.option}>
          <input
            ref={at === 0 ? first : undefined}
            type="radio"
            name={name}
            checked={chosen === value}
            onChange={() => onValue(value)}
          />
          <kbd>{at + 1}</kbd>
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}
