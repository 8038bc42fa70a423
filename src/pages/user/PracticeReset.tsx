import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import { failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { ConfirmDialog, ListRow, toast } from '../../ui/index.ts'
import { uuid } from '../../lib/uuid.ts'

/** Resets practice money to its opening amount, after a confirmation. */
export function PracticeReset() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const { refresh } = useStreams()
  const [isConfirming, setIsConfirming] = useState(false)
  /** One key per dialog: a retry after a lost answer is the same reset. */
  const idempotencyKey = useRef('')
  const [reset, busy] = useAction(async () => {
    const result = await call(ledgerRoutes.resetPractice, {}, { key: idempotencyKey.current })
    if (result.ok) {
      refresh()
      setIsConfirming(false)
      toast({ text: t('me.resetDone'), kind: 'success' })
      return
    }
    toast({ text: failureText(t, format, result.failure), kind: 'problem' })
    if (result.failure.kind === 'rejected') setIsConfirming(false)
  })
  return (
    <>
      <ListRow
        icon="clock-counter-clockwise"
        label={t('me.reset')}
        caption={t('me.resetCaption')}
        onClick={() => {
          idempotencyKey.current = uuid()
          setIsConfirming(true)
        }}
      />
      <ConfirmDialog
        open={isConfirming}
        title={t('me.resetTitle')}
        confirmLabel={t('me.resetConfirm')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={reset}
        onCancel={() => setIsConfirming(false)}
      >
        {t('me.resetText')}
      </ConfirmDialog>
    </>
  )
}
