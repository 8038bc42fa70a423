import type { MouseEvent } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import { Spinner } from './Spinner.tsx'
import styles from './IconButton.module.css'

export type IconButtonProps = {
  icon: IconName
  /** Its name: what a tap does. */
  label: string
  size?: number
  /** Short text beside the icon, as the language code in the bar. */
  text?: string | undefined
  /** Unread things; drawn as a small disc, so let `label` say the number too. */
  count?: number
  /** A toggle's state; leave out for a plain action. */
  pressed?: boolean
  href?: string
  disabled?: boolean
  /** Work under way: spins in place of the icon and takes no second tap. */
  busy?: boolean
  onClick?: (event: MouseEvent<HTMLElement>) => void
  className?: string | undefined
}

/** An action drawn as an icon, 44 × 44 whatever the icon's size. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, size = 24, text, count = 0, pressed, href, busy = false } = props
  const disabled = props.disabled === true || busy
  const shared = {
    className: cx(styles.button, text !== undefined && styles.wide, disabled && styles.off, props.className),
    'data-icon-button': '',
    'aria-label': label,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (disabled) event.preventDefault()
      else props.onClick?.(event)
    },
  }
  const inside = (
    <>
      {busy ? <Spinner size={size} /> : <Icon name={icon} size={size} />}
      {text !== undefined && <span className={styles.text}>{text}</span>}
      {count > 0 && (
        <span className={styles.count} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </>
  )
  if (href !== undefined) {
    return (
      <a {...shared} href={href}>
        {inside}
      </a>
    )
  }
  return (
    <button
      {...shared}
      type="button"
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      aria-busy={busy || undefined}
    >
      {inside}
    </button>
  )
}
