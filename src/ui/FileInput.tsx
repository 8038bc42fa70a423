import type { ChangeEvent, ComponentProps } from 'react'
import styles from './FileInput.module.css'

export type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'value' | 'onChange'> & {
  /** Called with each chosen file, also if the same one is chosen again. */
  onFile: (file: File) => void
}

/** A field for one file, invisible over the whole of its positioned parent. Browsers let a file be dropped on it. */
export function FileInput({ onFile, ...input }: FileInputProps) {
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const file = currentTarget.files?.[0]
    // Reset: choosing the same file again would be no change.
    currentTarget.value = ''
    if (file) onFile(file)
  }
  return <input {...input} type="file" className={styles.file} onChange={choose} />
}
