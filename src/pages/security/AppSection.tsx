import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorRoutes, type SecondFactors } from '../../../contract/secondFactors.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Card, ListRow, Section, toast } from '../../ui/index.ts'
import { ConfirmSheet } from '../../features/passkeys/ConfirmSheet.tsx'
import { RecoveryCodesSheet } from './RecoveryCodesSheet.tsx'
import { SetUpApp } from './SetUpApp.tsx'

type Action = 'setUp' | 'turnOff' | 'newCodes'

export type AppSectionProps = {
  factors: SecondFactors
  hasPasskey: boolean
  /** Something has changed. */
  onChanged: () => void
}

/** The authenticator app and its recovery codes. */
export function AppSection({ factors, hasPasskey, onChanged }: AppSectionProps) {
  const call = useCall()
  const { t } = useTranslation()
  const [open, setOpen] = useState<Action>()
  const [codes, setCodes] = useState<string[]>()
  const close = (): void => setOpen(undefined)
  return (
    <Section head="label" title={t('security.app')} help={t('security.appHelp')}>
      <Card>
        <Rows factors={factors} onOpen={setOpen} />
      </Card>
      <SetUpApp
        open={open === 'setUp'}
        hasPasskey={hasPasskey}
        onClose={close}
        onAdded={(added) => {
          setCodes(added)
          onChanged()
        }}
      />
      <ConfirmSheet
        open={open === 'turnOff'}
        title={t('security.turnOffTitle')}
        text={t('security.turnOffText')}
        confirmLabel={t('security.turnOff')}
        hasPasskey={hasPasskey}
        change={async (body) => {
          const result = await call(secondFactorRoutes.removeTotp, { body })
          if (!result.ok) return result.failure
          close()
          toast({ kind: 'success', text: t('security.turnedOff') })
          onChanged()
          return undefined
        }}
        onClose={close}
      />
      <ConfirmSheet
        open={open === 'newCodes'}
        title={t('security.newCodes')}
        text={t('security.newCodesText')}
        confirmLabel={t('settings.continue')}
        hasPasskey={hasPasskey}
        change={async (body) => {
          const result = await call(secondFactorRoutes.replaceRecoveryCodes, { body })
          if (!result.ok) return result.failure
          close()
          setCodes(result.value.recoveryCodes)
          onChanged()
          return undefined
        }}
        onClose={close}
      />
      <RecoveryCodesSheet codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  )
}

function Rows({ factors, onOpen }: { factors: SecondFactors; onOpen: (action: Action) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { totp, recoveryCodesLeft } = factors
  if (totp === null) {
    return (
      <ListRow
        icon="device-mobile"
        label={t('security.setUpApp')}
        value={t('security.appOff')}
        onClick={() => onOpen('setUp')}
      />
    )
  }
  return (
    <>
      <ListRow
        icon="device-mobile"
        label={t('security.app')}
        caption={t('security.appOn', { date: format.dateTimeShort(totp.addedAt) })}
      />
      <ListRow
        icon="list-bullets"
        label={t('security.newCodes')}
        caption={t('security.codesLeft', { count: recoveryCodesLeft })}
        onClick={() => onOpen('newCodes')}
      />
      <ListRow icon="minus-circle" label={t('security.turnOff')} onClick={() => onOpen('turnOff')} />
    </>
  )
}
