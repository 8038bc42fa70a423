import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import { failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { navigate } from '../../router/hashLocation.ts'
import { endSession } from '../../state/session.ts'
import { Button, ConfirmDialog, toast } from '../../ui/index.ts'
import styles from './Account.module.css'

/** Ends the session at the venue, after a confirmation. */
export function LogOut() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [isConfirming, setIsConfirming] = useState(false)
  const [logOut, busy] = useAction(async () => {
    const result = await call(authRoutes.logout, {})
    // Only the venue can end the session: without its answer the member is still logged in.
    if (!result.ok && (result.failure.kind !== 'rejected' || result.failure.status >= 500)) {
      toast({ text: failureText(t, format, result.failure), kind: 'problem' })
      return
    }
    navigate(paths.login, { replace: true })
    endSession()
  })
  return (
    <>
      <Button block variant="secondary" className={styles.logOut} onClick={() => setIsConfirming(true)}>
        {t('me.logOut')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('me.logOutTitle')}
        confirmLabel={t('me.logOut')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={logOut}
        onCancel={() => setIsConfirming(false)}
      >
        {t('me.logOutConfirm')}
      </ConfirmDialog>
    </>
  )
}
