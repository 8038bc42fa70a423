import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionRoutes } from '../../../contract/session.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { ConfirmDialog, ListRow, toast } from '../../ui/index.ts'
import { uuid } from '../../uuid.ts'

/** Brings practice money back to its opening amount, after a question. */
export function PracticeReset() {
  const { t } = useTranslation()
  const format = useFormat()
  const { wake } = useStreams()
  const [asking, setAsking] = useState(false)
  /** One key per asking: a second try after a lost answer is the same reset. */
  const key = useRef('')
  const [reset, busy] = useAction(async () => {
    const result = await call(sessionRoutes.practiceReset, {}, { key: key.current })
    if (result.ok) {
      wake()
      setAsking(false)
      toast({ text: t('me.resetDone'), kind: 'success' })
      return
    }
    toast({ text: failureText(t, format, result.failure), kind: 'problem' })
    if (result.failure.kind === 'refused') setAsking(false)
  })
  return (
    <>
      <ListRow
        icon="clock-counter-clockwise"
        label={t('me.reset')}
        caption={t('me.resetCaption')}
        onClick={() => {
          key.current = uuid()
          setAsking(true)
        }}
      />
      <ConfirmDialog
        open={asking}
        title={t('me.resetTitle')}
        confirmLabel={t('me.resetConfirm')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={reset}
        onCancel={() => setAsking(false)}
      >
        {t('me.resetText')}
      </ConfirmDialog>
    </>
  )
}
