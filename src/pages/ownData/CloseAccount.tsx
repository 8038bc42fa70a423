import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TransactionPasswordField } from '../../features/passkeys/TransactionPasswordField.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Button, Sheet } from '../../ui/index.ts'
import sheet from '../../features/passkeys/ConfirmSheet.module.css'
import { useCloseAccount } from './useCloseAccount.ts'

/** Closes the account, after a sheet that states that it cannot be undone and asks for the transaction password. */
export function CloseAccount() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button block variant="secondary" onClick={() => setOpen(true)}>
        {t('ownData.close')}
      </Button>
      <CloseSheet key={String(open)} open={open} onClose={() => setOpen(false)} />
    </>
  )
}

/** Its password is empty each time it opens. */
function CloseSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useId()
  const { password, setPassword, passwordError, choice, problem, close, busy } = useCloseAccount()
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    close()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('ownData.confirmTitle')}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <div className={sheet.footer}>
          <Problem text={problem} />
          <SubmitButton form={form} busy={busy}>
            {t('ownData.confirm')}
          </SubmitButton>
          <Button block variant="secondary" disabled={busy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      }
    >
      <form id={form} className={sheet.form} noValidate onSubmit={submit}>
        <p className={sheet.text}>{t('ownData.confirmText')}</p>
        <TransactionPasswordField
          choice={choice}
          name="transactionPassword"
          value={password}
          error={passwordError}
          readOnly={busy}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </form>
    </Sheet>
  )
}
