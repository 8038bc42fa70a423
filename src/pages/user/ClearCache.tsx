import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionRoutes } from '../../../contract/session.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { resetPreferences } from '../../state/preferences.ts'
import { isMember, resetSession } from '../../state/session.ts'
import { clearStorage, storedBytes } from '../../state/storage.ts'
import { ConfirmDialog, ListRow, toast } from '../../ui/index.ts'

/**
 * Empties what the app keeps on this device and logs out. Orders on their way are kept, because they are money,
 * and the language, because what comes next has to be read.
 */
export function ClearCache() {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const [clear, busy] = useAction(async () => {
    const result = isMember() ? await call(sessionRoutes.logout, {}) : undefined
    if (result && !result.ok && (result.failure.kind !== 'refused' || result.failure.status >= 500)) {
      toast({ text: failureText(t, format, result.failure), kind: 'problem' })
      return
    }
    navigate(paths.welcome, { replace: true })
    resetSession()
    resetPreferences()
    clearStorage(['intents', 'language'])
    toast({ text: t('settings.cacheCleared'), kind: 'success' })
  })
  return (
    <>
      <ListRow
        label={t('settings.clearCache')}
        caption={t('settings.clearCacheCaption')}
        value={format.bytes(storedBytes())}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        title={t('settings.clearCache')}
        confirmLabel={t('settings.continue')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={clear}
        onCancel={() => setAsking(false)}
      >
        {t('settings.clearCacheConfirm')}
      </ConfirmDialog>
    </>
  )
}
