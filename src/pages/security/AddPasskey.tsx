import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeyNameMax, secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { createPasskey } from '../../features/passkeys/passkeys.ts'
import { useCall } from '../../hooks/useCall.ts'
import { Field, toast } from '../../ui/index.ts'
import { ConfirmSheet } from '../../features/passkeys/ConfirmSheet.tsx'
import type { ConfirmedChange } from '../../features/passkeys/useConfirmation.ts'

export type AddPasskeyProps = {
  open: boolean
  hasPasskey: boolean
  onClose: () => void
  onAdded: () => void
}

/** Adds a passkey: a name and the password, then the browser asks for the device's lock. */
export function AddPasskey({ open, hasPasskey, onClose, onAdded }: AddPasskeyProps) {
  const call = useCall()
  const { t } = useTranslation()
  const [name, setName] = useState(deviceKind)
  const [nameError, setNameError] = useState<string>()
  const add: ConfirmedChange = async (body) => {
    const begun = await call(secondFactorRoutes.beginPasskey, { body })
    if (!begun.ok) return begun.failure
    const { challengeId, options } = begun.value
    const created = await createPasskey(options)
    if (!created.ok)
      return t(created.reason === 'exists' ? 'security.passkeyExists' : 'security.passkeyNotUsed')
    const added = await call(secondFactorRoutes.addPasskey, {
      body: { challengeId, response: created.value, name },
    })
    if (!added.ok) return added.failure
    onClose()
    toast({ kind: 'success', text: t('security.passkeyAdded') })
    onAdded()
    return undefined
  }
  return (
    <ConfirmSheet
      open={open}
      title={t('security.addPasskey')}
      text={t('security.addPasskeyText')}
      confirmLabel={t('security.addPasskey')}
      hasPasskey={hasPasskey}
      validate={() => {
        const isNamed = name.trim() !== ''
        setNameError(isNamed ? undefined : t('security.enterName'))
        return isNamed
      }}
      change={add}
      onClose={onClose}
    >
      <Field
        name="name"
        label={t('security.passkeyName')}
        hint={t('security.passkeyNameHint')}
        value={name}
        error={nameError}
        maxLength={passkeyNameMax}
        autoComplete="off"
        onChange={(event) => {
          setNameError(undefined)
          setName(event.currentTarget.value)
        }}
      />
    </ConfirmSheet>
  )
}

/** A first name for the passkey of this device: its kind, which its owner recognises in any language. */
function deviceKind(): string {
  const kinds = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'CrOS', 'Linux']
  return kinds.find((kind) => navigator.userAgent.includes(kind)) ?? ''
}
