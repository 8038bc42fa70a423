import { useId, type MouseEvent, type ReactNode, type Ref } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import { Spinner } from './Spinner.tsx'
import styles from './Button.module.css'

export type ButtonProps = {
  children: ReactNode
  /** `up` and `down` are for the one button that places an order. */
  variant?: 'primary' | 'secondary' | 'text' | 'up' | 'down'
  /** 48 px, or 56 px for the one button of a sheet, or 44 px inside rows. */
  size?: 'medium' | 'large' | 'small'
  /** As wide as its container. */
  block?: boolean
  icon?: IconName
  /** A request is in flight: shows a spinner, keeps its width, ignores taps. */
  busy?: boolean
  /** Give the reason in `reason`, or in a text beside the button. */
  disabled?: boolean
  /** Why it is disabled; shown below the button and announced with it. */
  reason?: ReactNode
  type?: 'button' | 'submit'
  form?: string
  /** Renders a link that looks like a button. */
  href?: string
  onClick?: (event: MouseEvent<HTMLElement>) => void
  className?: string | undefined
  id?: string
  /** Ref to the button; not set for a link. */
  ref?: Ref<HTMLButtonElement>
}

/**
 * The button of every page. Disabled means `aria-disabled`, not `disabled`: it stays in the tab order, so that
 * keyboard and screen reader users get the reason too. A tap does nothing and a form is not sent.
 */
export function Button(props: ButtonProps) {
  const {
    variant = 'primary',
    size = 'medium',
    block,
    busy = false,
    disabled = false,
    reason,
    href,
    ref,
  } = props
  const reasonId = useId()
  const isInert = disabled || busy
  const shared = {
    id: props.id,
    className: cx(
      styles.button,
      styles[variant],
      styles[size],
      block === true && styles.block,
      disabled && styles.off,
      props.className,
    ),
    'aria-disabled': isInert || undefined,
    'aria-busy': busy || undefined,
    'aria-describedby': reason === undefined ? undefined : reasonId,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isInert) event.preventDefault()
      else props.onClick?.(event)
    },
  }
  const content = (
    <>
      {busy ? (
        <Spinner />
      ) : (
        props.icon !== undefined && <Icon name={props.icon} size={size === 'large' ? 24 : 20} />
      )}
      <span className={styles.label}>{props.children}</span>
    </>
  )
  const button =
    href === undefined ? (
      <button {...shared} ref={ref} type={props.type ?? 'button'} form={props.form}>
        {content}
      </button>
    ) : (
      <a {...shared} href={href}>
        {content}
      </a>
    )
  if (reason === undefined) return button
  return (
    <div className={cx(styles.withReason, block === true && styles.block)}>
      {button}
      <p className={styles.reason} id={reasonId}>
        {reason}
      </p>
    </div>
  )
}
