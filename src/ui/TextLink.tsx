import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import styles from './TextLink.module.css'

export type TextLinkProps = {
  children: ReactNode
  href?: string
  onClick?: () => void
  /** A caret after the text: for a link to a list. */
  caret?: boolean
  /** 15 px beside rows, 13 px in bars and section heads. */
  size?: 13 | 15
  strong?: boolean
}

/** A text link in accent. Without `href` it is a button. Its hit area is 44 px for any height. */
export function TextLink({ children, href, onClick, caret, size = 13, strong }: TextLinkProps) {
  const className = cx(styles.link, size === 15 && styles.large, strong === true && styles.strong)
  const content = (
    <>
      {children}
      {caret === true && <Icon name="caret-right" size={16} />}
    </>
  )
  if (href === undefined) {
    return (
      <button type="button" className={className} onClick={onClick}>
        {content}
      </button>
    )
  }
  return (
    <a className={className} href={href} onClick={onClick}>
      {content}
    </a>
  )
}
