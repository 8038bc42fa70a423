import type { MouseEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './ListRow.module.css'

export type ListRowProps = {
  label: ReactNode
  /** A 12 px second line; the row grows to 64. */
  caption?: ReactNode
  /** At the right in `--text2`; it wraps only if a line of its own is too short. */
  value?: ReactNode
  icon?: IconName
  /** Anything else at the right: a switch, segments, a text link. */
  end?: ReactNode
  href?: string
  onClick?: (event: MouseEvent<HTMLElement>) => void
  /** Shown by default if the row is interactive; `false` hides it. */
  chevron?: boolean
  disabled?: boolean
}

/** A row of a card or list. Adjacent rows have a hairline between them. */
export function ListRow(props: ListRowProps) {
  const { label, caption, value, icon, end, href, onClick, disabled = false } = props
  const isInteractive = href !== undefined || onClick !== undefined
  const showsChevron = props.chevron ?? isInteractive
  const className = cx(
    styles.row,
    icon !== undefined && styles.withIcon,
    caption !== undefined && styles.two,
    isInteractive && styles.acts,
    disabled && styles.off,
  )
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} size={22} className={styles.icon} />}
      <span className={styles.text}>
        <span className={styles.label}>{label}</span>
        {caption !== undefined && <span className={styles.caption}>{caption}</span>}
      </span>
      {(value !== undefined || end !== undefined || showsChevron) && (
        <span
          // What arrives later comes with a caret of its own: nothing that was shown moves.
          key={`${value === undefined} ${end === undefined}`}
          className={cx(styles.end, (value !== undefined || showsChevron) && styles.apart)}
        >
          {value !== undefined && <span className={styles.value}>{value}</span>}
          {end}
          {showsChevron && <Icon name="caret-right" size={16} className={styles.chevron} />}
        </span>
      )}
    </>
  )
  if (href !== undefined) {
    return (
      <a className={className} href={href} onClick={onClick}>
        {content}
      </a>
    )
  }
  if (onClick !== undefined) {
    return (
      <button
        type="button"
        className={className}
        aria-disabled={disabled || undefined}
        onClick={(event) => {
          if (!disabled) onClick(event)
        }}
      >
        {content}
      </button>
    )
  }
  return <div className={className}>{content}</div>
}
