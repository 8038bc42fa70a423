import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import { failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { removeWorker } from '../../pwa/register.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { resetPreferences } from '../../state/preferences.ts'
import { isLoggedIn, resetSession } from '../../state/session.ts'
import { clearStorage, totalStoredBytes, storedBytes } from '../../state/storage.ts'
import { ConfirmDialog, ListRow, toast } from '../../ui/index.ts'

/**
 * Clears what the app stores on this device, including its cached files, and logs out. Placements in flight are
 * retained, because they are money, and so is the language.
 */
export function ClearCache() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [isConfirming, setIsConfirming] = useState(false)
  const bytes = useStorageSize()
  const [clear, busy] = useAction(async () => {
    const result = isLoggedIn() ? await call(authRoutes.logout, {}) : undefined
    if (result && !result.ok && (result.failure.kind !== 'rejected' || result.failure.status >= 500)) {
      toast({ text: failureText(t, format, result.failure), kind: 'problem' })
      return
    }
    navigate(paths.welcome, { replace: true })
    resetSession()
    resetPreferences()
    clearStorage(['intents', 'language'])
    await offlineStore.deleteOtherMembers()
    await removeWorker()
    toast({ text: t('settings.cacheCleared'), kind: 'success' })
  })
  return (
    <>
      <ListRow
        label={t('settings.clearCache')}
        caption={t('settings.clearCacheCaption')}
        value={format.bytes(bytes)}
        onClick={() => setIsConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        title={t('settings.clearCache')}
        confirmLabel={t('settings.continue')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={clear}
        onCancel={() => setIsConfirming(false)}
      >
        {t('settings.clearCacheConfirm')}
      </ConfirmDialog>
    </>
  )
}

/** The stored size: first the part that is known synchronously. */
function useStorageSize(): number {
  const [bytes, setBytes] = useState(storedBytes)
  useEffect(() => {
    let isDisposed = false
    const measure = async (): Promise<void> => {
      const all = await totalStoredBytes()
      if (!isDisposed) setBytes(all)
    }
    void measure()
    return () => {
      isDisposed = true
    }
  }, [])
  return bytes
}
