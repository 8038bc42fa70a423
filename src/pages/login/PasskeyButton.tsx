import { useTranslation } from 'react-i18next'
import { passkeySupport } from '../../features/passkeys/passkeys.ts'
import { Button } from '../../ui/index.ts'

/** Logs in with a passkey; absent where the browser has none. */
export function PasskeyButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  if (passkeySupport() !== 'usable') return null
  return (
    <Button block variant="secondary" icon="fingerprint" busy={busy} onClick={onClick}>
      {t('login.passkey')}
    </Button>
  )
}
