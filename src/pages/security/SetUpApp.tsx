import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { RouteAnswer } from '../../../contract/route.ts'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { failureText } from '../../api/failureText.ts'
import { errorCodeOf } from '../../api/result.ts'
import { CopyNumber } from '../../features/copy/CopyNumber.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { CodeField, Sheet } from '../../ui/index.ts'
import { ConfirmSheet } from '../../features/passkeys/ConfirmSheet.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import sheet from '../../features/passkeys/ConfirmSheet.module.css'
import styles from './SecurityPage.module.css'

type Setup = RouteAnswer<typeof secondFactorRoutes.beginTotp>

export type SetUpAppProps = {
  open: boolean
  hasPasskey: boolean
  onClose: () => void
  /** The app is added; these are its recovery codes. */
  onAdded: (recoveryCodes: string[]) => void
}

/** Adds an authenticator app: the password, then the QR code and a code of the app. */
export function SetUpApp({ open, hasPasskey, onClose, onAdded }: SetUpAppProps) {
  const call = useCall()
  const { t } = useTranslation()
  const [setup, setSetup] = useState<Setup>()
  const close = (): void => {
    setSetup(undefined)
    onClose()
  }
  return (
    <>
      <ConfirmSheet
        open={open && setup === undefined}
        title={t('security.setUpApp')}
        text={t('security.appHelp')}
        confirmLabel={t('settings.continue')}
        hasPasskey={hasPasskey}
        change={async (body) => {
          const result = await call(secondFactorRoutes.beginTotp, { body })
          if (!result.ok) return result.failure
          setSetup(result.value)
          return undefined
        }}
        onClose={close}
      />
      <ScanSheet
        key={setup?.setupId ?? ''}
        setup={open ? setup : undefined}
        onClose={close}
        onAdded={(codes) => {
          close()
          onAdded(codes)
        }}
      />
    </>
  )
}

type ScanSheetProps = Pick<SetUpAppProps, 'onClose' | 'onAdded'> & { setup: Setup | undefined }

function ScanSheet({ setup, onClose, onAdded }: ScanSheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const form = useId()
  const shown = useLastDefined(setup)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [add, busy, problem] = useSubmit(async () => {
    if (shown === undefined) return undefined
    if (code === '') return setError(t('login.enterCode'))
    const result = await call(secondFactorRoutes.addTotp, {
      body: { setupId: shown.setupId, code },
    })
    if (result.ok) return onAdded(result.value.recoveryCodes)
    if (errorCodeOf(result) !== 'SECOND_FACTOR_WRONG') return result.failure
    return setError(failureText(t, format, result.failure))
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    add()
  }
  if (shown === undefined) return null
  return (
    <Sheet
      open={setup !== undefined}
      onClose={onClose}
      title={t('security.setUpApp')}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <>
          <Problem text={problem} />
          <SubmitButton form={form} busy={busy}>
            {t('security.turnOn')}
          </SubmitButton>
        </>
      }
    >
      <form id={form} className={sheet.form} noValidate onSubmit={submit}>
        <p className={sheet.text}>{t('security.scan')}</p>
        <QrCode text={shown.uri} label={t('security.qr')} />
        <div className={styles.key}>
          <span className={styles.keyLabel}>{t('security.key')}</span>
          <CopyNumber
            text={shown.secret}
            shown={shown.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
            label={t('security.key')}
          />
        </div>
        <CodeField
          name="code"
          label={t('security.code')}
          hint={t('security.codeHint')}
          error={error}
          value={code}
          maxLength={6}
          inputMode="numeric"
          autoComplete="one-time-code"
          onValue={(text) => {
            setError(undefined)
            setCode(text)
          }}
        />
      </form>
    </Sheet>
  )
}
