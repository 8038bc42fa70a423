import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkeys.ts'
import { passkeyNameMax, secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Button, Field, Sheet, toast } from '../../ui/index.ts'
import { ConfirmSheet } from '../../features/passkeys/ConfirmSheet.tsx'
import sheet from '../../features/passkeys/ConfirmSheet.module.css'

export type PasskeySheetProps = {
  passkey: Passkey
  open: boolean
  hasPasskey: boolean
  onClose: () => void
  onChanged: () => void
}

/** Renames a passkey, or removes it. */
export function PasskeySheet({ passkey, open, hasPasskey, onClose, onChanged }: PasskeySheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const [isRemoving, setRemoving] = useState(false)
  const close = (): void => {
    setRemoving(false)
    onClose()
  }
  return (
    <>
      <RenameSheet
        passkey={passkey}
        open={open && !isRemoving}
        onRemove={() => setRemoving(true)}
        onClose={close}
        onChanged={onChanged}
      />
      <ConfirmSheet
        open={open && isRemoving}
        title={t('security.removePasskey')}
        text={t('security.removePasskeyText', { name: passkey.name })}
        confirmLabel={t('security.remove')}
        hasPasskey={hasPasskey}
        change={async (body) => {
          const result = await call(secondFactorRoutes.removePasskey, { params: { id: passkey.id }, body })
          if (!result.ok) return result.failure
          close()
          toast({ kind: 'success', text: t('security.passkeyRemoved') })
          onChanged()
          return undefined
        }}
        onClose={close}
      />
    </>
  )
}

type RenameSheetProps = Omit<PasskeySheetProps, 'hasPasskey'> & { onRemove: () => void }

function RenameSheet({ passkey, open, onRemove, onClose, onChanged }: RenameSheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const form = useId()
  const [name, setName] = useState(passkey.name)
  const [save, busy, problem, setProblem] = useSubmit(async () => {
    if (name.trim() === '') return t('security.enterName')
    const result = await call(secondFactorRoutes.renamePasskey, {
      params: { id: passkey.id },
      body: { name },
    })
    if (!result.ok) return result.failure
    toast({ kind: 'success', text: t('settings.saved') })
    onClose()
    return onChanged()
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    save()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={passkey.name}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <div className={sheet.footer}>
          <SubmitButton form={form} busy={busy}>
            {t('security.rename')}
          </SubmitButton>
          <Button block variant="secondary" disabled={busy} onClick={onRemove}>
            {t('security.remove')}
          </Button>
        </div>
      }
    >
      <form id={form} className={sheet.form} noValidate onSubmit={submit}>
        <Field
          name="name"
          label={t('security.passkeyName')}
          value={name}
          error={problem}
          maxLength={passkeyNameMax}
          autoComplete="off"
          onChange={(event) => {
            setProblem(undefined)
            setName(event.currentTarget.value)
          }}
        />
      </form>
    </Sheet>
  )
}
