import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDeviceOffline } from '../hooks/useDeviceOffline.ts'
import { Button } from '../ui/index.ts'

export type SubmitButtonProps = {
  children: ReactNode
  /** The form's id, where the button stands outside of it. */
  form?: string
  busy?: boolean
  /** Why the form cannot be sent; undefined where it can. */
  disabledReason?: string | undefined
  /** Said under the button while there is nothing else to say. */
  note?: string
}

/**
 * The one button that sends a form. On a device without network it says so before a tap, and stays on: what the
 * device believes of its network can be wrong.
 */
export function SubmitButton({ children, disabledReason, note, ...rest }: SubmitButtonProps) {
  const { t } = useTranslation()
  const offline = useDeviceOffline()
  return (
    <Button
      {...rest}
      type="submit"
      block
      disabled={disabledReason !== undefined}
      reason={disabledReason ?? (offline ? t('connection.offlineForm') : note)}
    >
      {children}
    </Button>
  )
}
