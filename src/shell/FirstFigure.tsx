import type { ReactNode } from 'react'
import type { FirstFigures } from '../prerender/firstFigures.ts'

export type FirstFigureProps = {
  name: keyof FirstFigures
  placeholder: ReactNode
  /** Shown around the figure's text. */
  children: (text: ReactNode) => ReactNode
}

/** In a prerendered frame, the place of a figure that the start script writes as soon as the venue has answered. */
export const FirstFigure = ({ name, placeholder, children }: FirstFigureProps) => (
  <span data-first={name}>
    {placeholder}
    <span hidden>{children(<span data-text="" />)}</span>
  </span>
)
