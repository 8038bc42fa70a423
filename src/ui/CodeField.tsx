import { toPlainSigns } from '../../contract/halfWidth.ts'
import { useTyping } from '../hooks/useTyping.ts'
import { Field, type FieldProps } from './Field.tsx'

export type CodeFieldProps = Omit<
  FieldProps,
  'type' | 'value' | 'onChange' | 'onCompositionStart' | 'onCompositionEnd'
> & {
  value: string
  /** Gets the code with plain signs and without spaces, however it was typed or pasted. */
  onValue: (code: string) => void
  maxLength: number
}

/** A code, which people paste in groups and type in full width: the venue takes it as it is read out. */
export function CodeField({ value, onValue, maxLength, ...field }: CodeFieldProps) {
  // The browser's own `maxLength` would cut what is pasted before its spaces are left out.
  const { onValue: put, ...composition } = useTyping(
    (typed) => toPlainSigns(typed).replaceAll(/\s/g, '').slice(0, maxLength),
    onValue,
  )
  return (
    <Field
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      {...field}
      {...composition}
      value={value}
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}
