import type { MouseEvent } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import { Spinner } from './Spinner.tsx'
import styles from './IconButton.module.css'

export type IconButtonProps = {
  icon: IconName
  /** The accessible name. */
  label: string
  /** Also shows the name under a pointer that rests on it. */
  tip?: boolean
  size?: number
  /** Short text beside the icon, such as the language code in the bar. */
  text?: string | undefined
  /** Number of unread items, shown as a small disc; include the number in `label`. */
  count?: number
  /** A toggle's state; leave out for a plain action. */
  pressed?: boolean
  href?: string
  disabled?: boolean
  /** A request is in flight: shows a spinner instead of the icon and ignores taps. */
  busy?: boolean
  onClick?: (event: MouseEvent<HTMLElement>) => void
  className?: string | undefined
}

/** An icon button, 44 × 44 px for any icon size. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, size = 24, text, count = 0, pressed, href, busy = false } = props
  const disabled = props.disabled === true || busy
  const shared = {
    className: cx(styles.button, text !== undefined && styles.wide, disabled && styles.off, props.className),
    'data-icon-button': '',
    'aria-label': label,
    title: props.tip === true ? label : undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (disabled) event.preventDefault()
      else props.onClick?.(event)
    },
  }
  const content = (
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
        {content}
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
      {content}
    </button>
  )
}
