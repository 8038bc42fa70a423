import spriteUrl from './icons.svg?no-inline'
import type { IconName } from './iconNames.ts'
import { cx } from './cx.ts'
import styles from './Icon.module.css'

export type IconProps = {
  name: IconName
  /** Side in px: 24 in bars, 22 in rows, 20 and less beside text. */
  size?: number
  /** The accessible name; without it the icon is decorative. */
  label?: string
  className?: string | undefined
}

/** One icon of the sprite, in the colour of the text around it. */
export function Icon({ name, size = 24, label, className }: IconProps) {
  return (
    <svg
      className={cx(styles.icon, className)}
      width={size}
      height={size}
      viewBox="0 0 256 256"
      focusable="false"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <use href={`${spriteUrl}#${name}`} />
    </svg>
  )
}
