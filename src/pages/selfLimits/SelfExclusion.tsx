import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { looseningDelayMs, type SelfLimits } from '../../../contract/selfLimits.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Button, Card, ConfirmDialog, Section, Select, toast } from '../../ui/index.ts'
import {
  pauseDurations,
  longerPauses,
  pendingOf,
  type PauseLength,
  type SaveSelfLimit,
} from './selfLimits.ts'
import styles from './SelfLimits.module.css'

/** A pause from trading. It needs a confirmation, because it cannot be undone at once. */
export function SelfExclusion({ limits, save }: { limits: SelfLimits; save: SaveSelfLimit }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clock } = useStreams()
  const until = limits.active.excludedUntil
  const offered = longerPauses(until, clock.now())
  const [length, setLength] = useState<PauseLength>('h24')
  const chosen = offered.includes(length) ? length : offered[0]
  const confirmation = useExclusionConfirm(save)
  const ending = pendingOf(limits, 'excludedUntil')
  return (
    <Section head="label" title={t('limits.exclusion')}>
      <Card padded>
        <div className={styles.exclusion}>
          <p className={styles.state}>
            {until === null
              ? t('limits.notExcluded')
              : t('limits.excludedUntil', { date: format.dateTimeShort(until) })}
          </p>
          <p className={styles.help}>
            {ending
              ? t('limits.endsOn', { date: format.dateTimeShort(ending.effectiveAt) })
              : t('limits.exclusionText')}
          </p>
          {chosen !== undefined && (
            <>
              <Select
                label={t('limits.length')}
                options={offered.map((name) => ({ value: name, label: t(`limits.${name}`) }))}
                value={chosen}
                onValue={(value) => setLength(offered.find((name) => name === value) ?? 'h24')}
              />
              <Button
                block
                variant="secondary"
                onClick={() => {
                  const at = clock.now() + pauseDurations[chosen]
                  confirmation.request(Math.round(at), at)
                }}
              >
                {t(until === null ? 'limits.choose' : 'limits.extend')}
              </Button>
            </>
          )}
          {until !== null && !ending && (
            <Button
              block
              variant="text"
              onClick={() => confirmation.request(null, clock.now() + looseningDelayMs)}
            >
              {t('limits.endEarly')}
            </Button>
          )}
        </div>
      </Card>
      <ExclusionConfirm {...confirmation} />
    </Section>
  )
}

type ExclusionRequest = { until: number | null; at: number }

/** The confirmation before a pause begins or ends. */
function useExclusionConfirm(save: SaveSelfLimit) {
  /** Stays set while the dialog closes, so that its text does not change. */
  const [pendingRequest, setPendingRequest] = useState<ExclusionRequest>()
  const [open, setOpen] = useState(false)
  const [confirm, busy] = useAction(async () => {
    if (pendingRequest === undefined) return
    const errorText = await save('excludedUntil', pendingRequest.until)
    if (errorText !== undefined) toast({ text: errorText, kind: 'problem' })
    setOpen(false)
  })
  const request = (until: number | null, at: number): void => {
    setPendingRequest({ until, at })
    setOpen(true)
  }
  return { pendingRequest, open, busy, request, confirm, cancel: () => setOpen(false) }
}

function ExclusionConfirm({
  pendingRequest,
  open,
  busy,
  confirm,
  cancel,
}: ReturnType<typeof useExclusionConfirm>) {
  const { t } = useTranslation()
  const format = useFormat()
  const date = pendingRequest === undefined ? '' : format.dateTimeShort(pendingRequest.at)
  const endsEarly = pendingRequest?.until === null
  return (
    <ConfirmDialog
      open={open}
      title={t(endsEarly ? 'limits.endTitle' : 'limits.confirmTitle', { date })}
      confirmLabel={t(endsEarly ? 'limits.end' : 'limits.confirm')}
      cancelLabel={t(endsEarly ? 'limits.keep' : 'common.cancel')}
      closeLabel={t('common.close')}
      busy={busy}
      onConfirm={confirm}
      onCancel={cancel}
    >
      {t(endsEarly ? 'limits.endText' : 'limits.confirmText', { date })}
    </ConfirmDialog>
  )
}
