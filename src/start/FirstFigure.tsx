import type { ReactNode } from 'react'
import type { FirstFigures } from './firstFigures.ts'
import styles from './FirstFigure.module.css'

export type FirstFigureProps = {
  name: keyof FirstFigures
  placeholder: ReactNode
  /** Shown around the figure's text. */
  children: (text: ReactNode) => ReactNode
}

/** In a prerendered skeleton, the place of a figure that the start script writes as soon as the venue has answered. */
export const FirstFigure = ({ name, placeholder, children }: FirstFigureProps) => (
  <span data-first={name}>
    {placeholder}
    <span hidden>{children(<span className={styles.text} data-text="" />)}</span>
  </span>
)
