import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDeviceOffline } from '../hooks/useDeviceOffline.ts'
import { Button } from '../ui/index.ts'

export type SubmitButtonProps = {
  children: ReactNode
  /** The form's id, if the button is outside the form. */
  form?: string
  busy?: boolean
  /** Why the form cannot be sent; undefined if it can. */
  disabledReason?: string | undefined
  /** Shown below the button if there is no other reason. */
  note?: string
}

/**
 * The submit button of a form. On an offline device it shows a hint but stays enabled: the device can be wrong about
 * its network.
 */
export function SubmitButton({ children, disabledReason, note, ...rest }: SubmitButtonProps) {
  const { t } = useTranslation()
  const isOffline = useDeviceOffline()
  return (
    <Button
      {...rest}
      type="submit"
      block
      disabled={disabledReason !== undefined}
      reason={disabledReason ?? (isOffline ? t('connection.offlineForm') : note)}
    >
      {children}
    </Button>
  )
}
