import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import type { IconName } from './iconNames.ts'

export type ErrorStateProps = {
  title: ReactNode
  /** One sentence: what failed, and what is not affected. */
  children?: ReactNode
  retryLabel: string
  onRetry: () => void
  /** The retry is in flight. */
  busy?: boolean
  note?: ReactNode
  icon?: IconName
}

/** Shown if something could not be loaded, with a retry button. */
export function ErrorState({
  title,
  children,
  retryLabel,
  onRetry,
  busy = false,
  note,
  icon,
}: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={icon ?? 'cloud-slash'}
        title={title}
        note={note}
        action={
          <Button icon="arrow-clockwise" busy={busy} onClick={onRetry}>
            {retryLabel}
          </Button>
        }
      >
        {children}
      </EmptyState>
    </div>
  )
}
