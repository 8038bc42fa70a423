import { useState } from 'react'
import { staffSessionRoutes as routes } from '../../../contract/office/staff.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { copyText } from '../../../src/lib/copyText.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { CodeField } from '../../../src/ui/CodeField.tsx'
import { QrCode } from '../../../src/ui/QrCode.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import styles from './Factors.module.css'

type NewAppProps = {
  setup: RouteAnswer<typeof routes.beginTotp>
  onClose: () => void
  onAdded: (recoveryCodes: readonly string[]) => void
}

/** The secret for an authenticator app, and a code that shows that the app has it. */
export function NewApp({ setup, onClose, onAdded }: NewAppProps) {
  const t = useTexts()
  const [code, setCode] = useState('')
  const { run, busy, failure } = useRun(
    () => call(routes.addTotp, { body: { setupId: setup.setupId, code } }),
    ({ recoveryCodes }) => onAdded(recoveryCodes),
  )
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <p className={styles.quiet}>{t('factor.scan')}</p>
      <QrCode text={setup.uri} label={t('factor.qr')} />
      <p className={styles.quiet}>
        {t('factor.key')} <span className={styles.key}>{setup.secret}</span>
      </p>
      <CodeField
        label={t('factor.code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        required
        value={code}
        onValue={setCode}
      />
      <FailureLine failure={failure} />
      <Button type="submit" busy={busy}>
        {t('factor.check')}
      </Button>
      <Button variant="text" onClick={onClose}>
        {t('action.close')}
      </Button>
    </form>
  )
}

/** The new recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const t = useTexts()
  const copy = async (): Promise<void> => {
    if (await copyText(codes.join('\n'))) toast({ text: t('factor.copied'), kind: 'success' })
  }
  return (
    <div className={styles.stack}>
      <p className={styles.quiet}>{t('factor.codes')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button variant="secondary" onClick={() => void copy()}>
        {t('factor.copy')}
      </Button>
      <Button onClick={onStored}>{t('factor.stored')}</Button>
    </div>
  )
}
