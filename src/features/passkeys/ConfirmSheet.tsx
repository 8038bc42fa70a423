import { useId, type ReactNode, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../forms/Problem.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Button, Field, Sheet } from '../../ui/index.ts'
import styles from './ConfirmSheet.module.css'
import { useConfirmation, type ConfirmedChange } from './useConfirmation.ts'

export type ConfirmSheetProps = {
  open: boolean
  title: string
  /** What will happen. */
  text?: string
  confirmLabel: string
  /** Whether the member has a passkey that can confirm it here. */
  hasPasskey: boolean
  /** Fields above the password. */
  children?: ReactNode
  /** Whether those fields are valid; it shows their errors. */
  validate?: () => boolean
  change: ConfirmedChange
  onClose: () => void
}

/** Confirms a security change with the login password, or a passkey. Its text fields are empty each time it opens. */
export function ConfirmSheet(props: ConfirmSheetProps) {
  return <ConfirmForm key={String(props.open)} {...props} />
}

function ConfirmForm(props: ConfirmSheetProps) {
  const { open, title, text, confirmLabel, hasPasskey, children, validate, change, onClose } = props
  const { t } = useTranslation()
  const form = useId()
  const confirmation = useConfirmation(change)
  const isValid = (): boolean => validate === undefined || validate()
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isValid()) confirmation.byPassword()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={t('common.close')}
      locked={confirmation.busy}
      footer={
        <div className={styles.footer}>
          <Problem text={confirmation.problem} />
          <SubmitButton form={form} busy={confirmation.busy}>
            {confirmLabel}
          </SubmitButton>
          {hasPasskey && (
            <Button
              block
              variant="secondary"
              icon="fingerprint"
              disabled={confirmation.busy}
              onClick={() => {
                if (isValid()) confirmation.byPasskey()
              }}
            >
              {t('security.usePasskey')}
            </Button>
          )}
        </div>
      }
    >
      <form id={form} className={styles.form} noValidate onSubmit={submit}>
        {text !== undefined && <p className={styles.text}>{text}</p>}
        {children}
        <Field
          type="password"
          name="password"
          label={t('settings.loginPassword')}
          autoComplete="current-password"
          value={confirmation.password}
          error={confirmation.passwordError}
          onChange={(event) => confirmation.setPassword(event.currentTarget.value)}
          reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
        />
      </form>
    </Sheet>
  )
}
